import { Injectable } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { FIRST_SWEEP_MS, Sweeps, type Sweep } from '../../../common/platform/database/sweeps';
import { UsedLogoutTokenRepository } from './persistence/used-logout-token.repository';
import { Sessions } from './sessions';

const HOUR_MS = 60 * 60 * 1000;

/** Deletes ended sessions. */
@Injectable()
export class SessionSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly sessions: Sessions,
    private readonly logoutTokens: UsedLogoutTokenRepository,
  ) {}

  @Timeout(FIRST_SWEEP_MS)
  soon(): Promise<void> {
    return this.hourly();
  }

  @Interval(HOUR_MS)
  hourly(): Promise<void> {
    return this.sweeps.run('sessions', this);
  }

  async sweep(now: Date): Promise<number> {
    return (await this.sessions.deleteExpired(now)) + (await this.logoutTokens.deleteExpired(now));
  }
}
