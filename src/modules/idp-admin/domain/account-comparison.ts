import { ROUTE_REALM_ROLES, type ProviderAccount } from './provider-user';

interface KnownAccount {
  readonly subject: string;
  readonly enabled: boolean;
  readonly email: string;
}

export interface AccountDifferences {
  /** Users who are enabled on one side only, or whose address differs; to be read one by one. */
  readonly differing: readonly string[];
  /** Enabled here and missing from the provider's list. */
  readonly missing: readonly string[];
  /** So many are missing that the list is probably wrong. */
  readonly isSuspicious: boolean;
}

/** A wrong realm, or one restored from an old backup, lacks most users; few are deleted at once. */
const ALWAYS_PLAUSIBLE = 1;

export function compareAccounts(
  known: readonly KnownAccount[],
  provided: ReadonlyMap<string, ProviderAccount>,
): AccountDifferences {
  const letIn = known.filter(({ enabled }) => enabled);
  const missing = letIn.filter(({ subject }) => !provided.has(subject)).map(({ subject }) => subject);
  const differing = known
    .filter(({ subject, enabled, email }) => {
      const account = provided.get(subject);
      return account !== undefined && (account.enabled !== enabled || account.address !== email);
    })
    .map(({ subject }) => subject);
  const isSuspicious =
    missing.length > 0 &&
    (provided.size === 0 || missing.length > Math.max(ALWAYS_PLAUSIBLE, Math.floor(letIn.length / 2)));
  return { differing, missing, isSuspicious };
}

/** Whether these roles allow to administer users. */
export const administersUsers = (realmRoles: readonly string[]): boolean =>
  ROUTE_REALM_ROLES.some((role) => realmRoles.includes(role));

/** Whether a role known here is gone at the provider. New roles take effect at the next sign-in. */
export const hasLostRole = (here: readonly string[], there: readonly string[]): boolean =>
  ROUTE_REALM_ROLES.some((role) => here.includes(role) && !there.includes(role));
