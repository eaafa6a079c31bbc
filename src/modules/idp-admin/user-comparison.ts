import { Injectable, Logger } from '@nestjs/common';
import { UserRepository } from '../workspaces';
import { AbsentIdentityProvider } from './absent-identity-provider';
import { compareAccounts } from './domain/account-comparison';
import { IdentityProvider } from './identity-provider';
import { mapAtOnce } from './map-at-once';
import { ProviderWorkRepository } from './persistence/provider-work.repository';
import { ProviderWorkRunner } from './provider-work.runner';

const ASKED_AT_ONCE = 8;

/**
 * Notices who was disabled, deleted or enabled at the provider. A difference is only a reason to look: each user is asked for
 * once more, alone, and what is done about it takes turns with the changes that are made here.
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
    const { differing, missing, isSuspicious } = compareAccounts(known, await this.provider.accounts());
    if (isSuspicious)
      this.logger.error(
        `${missing.length} of ${known.length} users are not in the list of the identity provider. That many are not believed to be gone, ` +
          'and keep their access: check OIDC_ISSUER and KEYCLOAK_ADMIN_URL. Reading a user who is gone, or deleting them, ends their access.',
      );
    return this.settle(isSuspicious ? differing : [...differing, ...missing]);
  }

  /** Of people who are known here, by this service's ids. */
  async compareEach(userIds: readonly string[]): Promise<void> {
    const differing: string[] = [];
    try {
      await mapAtOnce(ASKED_AT_ONCE, userIds, async (userId) => {
        const user = await this.users.find(userId);
        if (user === undefined || user.subject === null) return;
        const isEnabled = (await this.provider.isEnabled(user.subject)) ?? false;
        if (isEnabled !== (user.enabled ?? true)) differing.push(user.subject);
      });
    } finally {
      await this.settle(differing);
    }
  }

  /** Of people of whom the provider has just told; undefined for somebody whom it says it doesn't have. */
  async compareTold(told: ReadonlyMap<string, boolean | undefined>): Promise<void> {
    const known = await this.users.listAccounts([...told.keys()]);
    await this.settle(
      known.filter(({ subject, enabled }) => enabled !== (told.get(subject) ?? false)).map(({ subject }) => subject),
    );
  }

  private async settle(subjects: readonly string[]): Promise<number> {
    if (subjects.length === 0) return 0;
    for (const subject of subjects) await this.work.add(subject, {}, new Date());
    await this.runner.carryOut();
    return subjects.length;
  }
}
