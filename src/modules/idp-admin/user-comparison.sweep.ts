import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Sweeps, type Sweep } from '../../common/platform/database/sweeps';
import { AbsentIdentityProvider } from './absent-identity-provider';
import { IdentityProvider } from './identity-provider';
import { UserComparison } from './user-comparison';

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
