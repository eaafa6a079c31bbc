import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { Sweeps, type Sweep } from '../../common/platform/database/sweeps';
import { AbsentIdentityProvider } from './absent-identity-provider';
import { IdentityProvider } from './identity-provider';
import { UserComparison } from './user-comparison';

const MINUTE_MS = 60 * 1000;

/** Compares all users with those of the provider: soon after startup, then periodically. */
@Injectable()
export class UserComparisonSweep implements Sweep, OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sweeps: Sweeps,
    private readonly provider: IdentityProvider,
    private readonly comparison: UserComparison,
  ) {}

  onApplicationBootstrap(): void {
    if (this.provider instanceof AbsentIdentityProvider) return;
    const run = (): void => void this.sweeps.run('differences between users here and at the identity provider', this);
    this.timer = setInterval(run, this.configuration.userSyncMinutes * MINUTE_MS);
    run();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  sweep(): Promise<number> {
    return this.comparison.compareAll();
  }
}
