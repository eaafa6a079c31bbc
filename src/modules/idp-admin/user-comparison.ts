import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import pMap from 'p-map';
import { Interval } from '@nestjs/schedule';
import { UserRepository, type KnownAccount } from '../workspaces';
import { AbsentIdentityProvider, IdentityProvider } from './identity-provider';
import { administersUsers, compareAccounts, hasLostRole } from './domain/account-comparison';
import { addressOf, type ProviderUser, IdentityProviderError } from './domain/provider-user';
import { ProviderWorkRepository } from './persistence/provider-work.repository';
import { ProviderWorkRunner } from './provider-work.runner';
import { Sweeps, type Sweep } from '../../common/platform/database/sweeps';
import { errorMessage } from '../../common/platform/errors/error-code';
import { Renewals } from '../auth';

const TEN_SECONDS_MS = 10_000;

/**
 * Finds users who were disabled, deleted or enabled at the provider, or whose address or administering roles changed. A difference
 * only enqueues work for the user: the work reads the user again, and runs one at a time with the changes made here.
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

  /** Returns how many differ. Rejects if the provider doesn't list all users. */
  async compareAll(): Promise<number> {
    if (this.provider instanceof AbsentIdentityProvider) return 0;
    // Read first: a user created meanwhile exists at the provider before here.
    const known = await this.users.listAccounts();
    if (known.length === 0) return 0;
    const provided = await this.provider.accounts();
    const { differing, missing, isSuspicious } = compareAccounts(known, provided);
    if (isSuspicious)
      this.logger.error(
        `${missing.length} of ${known.length} users are missing from the list of the identity provider. So many are unlikely to be deleted, so they ` +
          'keep their access. Check OIDC_ISSUER and KEYCLOAK_ADMIN_URL. To end the access of a deleted user, open or delete them here.',
      );
    const letIn = known.filter(({ subject, enabled }) => enabled && provided.get(subject)?.enabled === true);
    const reduced = await this.findLostRoles(letIn);
    return this.enqueueRefresh([...differing, ...reduced, ...(isSuspicious ? [] : missing)]);
  }

  /** Compares users by their ids in this service. */
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
        { concurrency: REQUESTS_AT_ONCE },
      );
    } finally {
      await this.enqueueRefresh(differing);
    }
  }

  /** Compares users just fetched from the provider; undefined for those that it doesn't have. */
  async compareFetched(fetched: ReadonlyMap<string, ProviderUser | undefined>): Promise<void> {
    const known = await this.users.listAccounts([...fetched.keys()]);
    const differing = known.filter((account) => hasChanged(account, fetched.get(account.subject)));
    await this.enqueueRefresh(differing.map(({ subject }) => subject));
  }

  /** Fetches roles only for users who have roles that routes require; for the others only whether they are enabled. */
  private async differs(account: KnownAccount): Promise<boolean> {
    const { subject, enabled, realmRoles } = account;
    if (administersUsers(realmRoles)) return hasChanged(account, await this.provider.find(subject));
    return ((await this.provider.isEnabled(subject)) ?? false) !== enabled;
  }

  private async findLostRoles(accounts: readonly KnownAccount[]): Promise<string[]> {
    const reduced: string[] = [];
    const administering = accounts.filter(({ realmRoles }) => administersUsers(realmRoles));
    await pMap(
      administering,
      async ({ subject, realmRoles }) => {
        const fetched = await this.provider.find(subject);
        if (fetched !== undefined && hasLostRole(realmRoles, fetched.roles)) reduced.push(subject);
      },
      { concurrency: REQUESTS_AT_ONCE },
    );
    return reduced;
  }

  private async enqueueRefresh(subjects: readonly string[]): Promise<number> {
    if (subjects.length === 0) return 0;
    for (const subject of subjects) await this.work.add(subject, {});
    await this.runner.runDue();
    return subjects.length;
  }
}

/** Compares users who keep using a session or a key with the provider, in the background. */
@Injectable()
export class RenewalCheck implements OnModuleInit {
  private readonly logger = new Logger(RenewalCheck.name);
  private readonly renewing = new Set<string>();
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly renewals: Renewals,
    private readonly provider: IdentityProvider,
    private readonly comparison: UserComparison,
  ) {}

  onModuleInit(): void {
    if (this.provider instanceof AbsentIdentityProvider) return;
    this.renewals.listen((userId) => this.renewing.add(userId));
  }

  /** When it ends, every user recorded before has been compared, by this check or one that was running. */
  @Interval(TEN_SECONDS_MS)
  check(): Promise<void> {
    this.last = this.last.then(() => this.compareNoted());
    return this.last;
  }

  private async compareNoted(): Promise<void> {
    if (this.renewing.size === 0) return;
    const userIds = [...this.renewing];
    this.renewing.clear();
    try {
      await this.comparison.compareEach(userIds);
    } catch (error) {
      // If the provider is unavailable, the next renewal checks again.
      if (!(error instanceof IdentityProviderError))
        this.logger.warn(`Users could not be compared with the identity provider: ${errorMessage(error)}`);
    }
  }
}

/** How long a user who is disabled or deleted at the provider may still have access here. */
const EVERY_MS = 5 * 60 * 1000;

/** Compares all users with those of the provider: soon after startup, then periodically. */
@Injectable()
export class UserComparisonSweep implements Sweep, OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sweeps: Sweeps,
    private readonly provider: IdentityProvider,
    private readonly comparison: UserComparison,
  ) {}

  onApplicationBootstrap(): void {
    if (this.provider instanceof AbsentIdentityProvider) return;
    const run = (): void => void this.sweeps.run('differences between users here and at the identity provider', this);
    this.timer = setInterval(run, EVERY_MS);
    run();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  sweep(): Promise<number> {
    return this.comparison.compareAll();
  }
}

const REQUESTS_AT_ONCE = 8;

function hasChanged({ enabled, email, realmRoles }: KnownAccount, fetched: ProviderUser | undefined): boolean {
  if (fetched === undefined) return enabled;
  return fetched.enabled !== enabled || addressOf(fetched) !== email || hasLostRole(realmRoles, fetched.roles);
}
