import { Injectable, Logger } from '@nestjs/common';
import pMap from 'p-map';
import { UserRepository, type KnownAccount } from '../workspaces';
import { AbsentIdentityProvider } from './absent-identity-provider';
import { administersUsers, compareAccounts, hasLostRole } from './domain/account-comparison';
import { addressOf, type ProviderUser } from './domain/provider-user';
import { IdentityProvider } from './identity-provider';
import { ProviderWorkRepository } from './persistence/provider-work.repository';
import { ProviderWorkRunner } from './provider-work.runner';

const ASKED_AT_ONCE = 8;

/**
 * Notices who was disabled, deleted or enabled at the provider, has another address, or administers users no more. A difference is only a reason to
 * look: each user is asked for once more, alone, and what is done about it takes turns with the changes that are made here.
 */
@Injectable()
export class UserComparison {
  private readonly logger = new Logger(UserComparison.name);

  constructor(
    private readonly users: UserRepository,
    private readonly provider: IdentityProvider,
    private readonly work: ProviderWorkRepository,
    private readonly runner: ProviderWorkRunner,
  ) {}

  /** Says how many differ. Rejects where the provider does not tell of all users. */
  async compareAll(): Promise<number> {
    if (this.provider instanceof AbsentIdentityProvider) return 0;
    // Read first: whoever is made meanwhile is at the provider before they are known here.
    const known = await this.users.listAccounts();
    if (known.length === 0) return 0;
    const provided = await this.provider.accounts();
    const { differing, missing, isSuspicious } = compareAccounts(known, provided);
    if (isSuspicious)
      this.logger.error(
        `${missing.length} of ${known.length} users are not in the list of the identity provider. That many are not believed to be gone, ` +
          'and keep their access: check OIDC_ISSUER and KEYCLOAK_ADMIN_URL. Reading a user who is gone, or deleting them, ends their access.',
      );
    const letIn = known.filter(({ subject, enabled }) => enabled && provided.get(subject)?.enabled === true);
    const reduced = await this.whoLostRoles(letIn);
    return this.settle([...differing, ...reduced, ...(isSuspicious ? [] : missing)]);
  }

  /** Of people who are known here, by this service's ids. */
  async compareEach(userIds: readonly string[]): Promise<void> {
    const differing: string[] = [];
    try {
      await pMap(
        userIds,
        async (userId) => {
          const user = await this.users.find(userId);
          if (user === undefined || user.subject === null) return;
          const { subject, enabled = true, email, realmRoles } = user;
          if (await this.differs({ subject, enabled, email, realmRoles })) differing.push(subject);
        },
        { concurrency: ASKED_AT_ONCE },
      );
    } finally {
      await this.settle(differing);
    }
  }

  /** Of people of whom the provider has just told; undefined for somebody whom it says it doesn't have. */
  async compareTold(told: ReadonlyMap<string, ProviderUser | undefined>): Promise<void> {
    const known = await this.users.listAccounts([...told.keys()]);
    const differing = known.filter((account) => isOther(account, told.get(account.subject)));
    await this.settle(differing.map(({ subject }) => subject));
  }

  /** Of most people only whether they are let in is asked; the roles too of those who have some that routes ask for. */
  private async differs(account: KnownAccount): Promise<boolean> {
    const { subject, enabled, realmRoles } = account;
    if (administersUsers(realmRoles)) return isOther(account, await this.provider.find(subject));
    return ((await this.provider.isEnabled(subject)) ?? false) !== enabled;
  }

  private async whoLostRoles(accounts: readonly KnownAccount[]): Promise<string[]> {
    const reduced: string[] = [];
    const administering = accounts.filter(({ realmRoles }) => administersUsers(realmRoles));
    await pMap(
      administering,
      async ({ subject, realmRoles }) => {
        const told = await this.provider.find(subject);
        if (told !== undefined && hasLostRole(realmRoles, told.roles)) reduced.push(subject);
      },
      { concurrency: ASKED_AT_ONCE },
    );
    return reduced;
  }

  private async settle(subjects: readonly string[]): Promise<number> {
    if (subjects.length === 0) return 0;
    for (const subject of subjects) await this.work.add(subject, {}, new Date());
    await this.runner.carryOut();
    return subjects.length;
  }
}

function isOther({ enabled, email, realmRoles }: KnownAccount, told: ProviderUser | undefined): boolean {
  if (told === undefined) return enabled;
  return told.enabled !== enabled || addressOf(told) !== email || hasLostRole(realmRoles, told.roles);
}
