import { Injectable } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { FIRST_SWEEP_MS, Sweeps, type Sweep } from '../../../common/platform/database/sweeps';
import { SearchAnchorRepository } from './persistence/search-anchor.repository';

const HOUR_MS = 60 * 60 * 1000;

/** Deletes anchors that have expired. */
@Injectable()
export class AnchorSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly anchors: SearchAnchorRepository,
  ) {}

  @Timeout(FIRST_SWEEP_MS)
  soon(): Promise<void> {
    return this.hourly();
  }

  @Interval(HOUR_MS)
  hourly(): Promise<void> {
    return this.sweeps.run('anchors', this);
  }

  sweep(now: Date): Promise<number> {
    return this.anchors.deleteExpired(now);
  }
}
