import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { errorMessage } from '../../common/platform/errors/error-code';
import { Renewals } from '../auth';
import { AbsentIdentityProvider } from './absent-identity-provider';
import { IdentityProviderError } from './domain/identity-provider-errors';
import { IdentityProvider } from './identity-provider';
import { UserComparison } from './user-comparison';

const TEN_SECONDS_MS = 10_000;

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
