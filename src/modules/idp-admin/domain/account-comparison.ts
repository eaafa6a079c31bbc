import { ROUTE_REALM_ROLES, type ProviderAccount } from './provider-user';

interface KnownAccount {
  readonly subject: string;
  readonly enabled: boolean;
  readonly email: string;
}

export interface AccountDifferences {
  /** To be looked at one by one: let in here and not there, or the other way round, or with another address. */
  readonly differing: readonly string[];
  /** Let in here, and not in the provider's list. */
  readonly missing: readonly string[];
  /** So many are missing that the list is more likely wrong than the people gone. */
  readonly isSuspicious: boolean;
}

/** A wrong realm, or one restored from an old backup, lacks most people; a few may leave at once. */
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

/** Whether they count here as somebody who administers users. */
export const administersUsers = (realmRoles: readonly string[]): boolean =>
  ROUTE_REALM_ROLES.some((role) => realmRoles.includes(role));

/** Whether they count here as more than the provider says. What it gives anew counts at the next sign-in. */
export const hasLostRole = (here: readonly string[], there: readonly string[]): boolean =>
  ROUTE_REALM_ROLES.some((role) => here.includes(role) && !there.includes(role));
