import { Injectable } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { FIRST_SWEEP_MS, Sweeps } from '../../../common/platform/database/sweeps';
import { DraftSweep } from './draft.sweep';
import { GenerationSweep, UnknownTableSweep } from './table.sweeps';
import { MediaSweep } from './media.sweep';
import { WorkSweep } from './work.sweep';

const MINUTE_MS = 60 * 1000;

/** Schedules the sweeps. */
@Injectable()
export class SweepSchedule {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly drafts: DraftSweep,
    private readonly generations: GenerationSweep,
    private readonly work: WorkSweep,
    private readonly media: MediaSweep,
    private readonly unknownTables: UnknownTableSweep,
  ) {}

  @Interval(5 * MINUTE_MS)
  async frequent(): Promise<void> {
    await this.sweeps.run('drafts', this.drafts);
    await this.sweeps.run('generations', this.generations);
  }

  @Timeout(FIRST_SWEEP_MS)
  soon(): Promise<void> {
    return this.hourly();
  }

  @Interval(60 * MINUTE_MS)
  async hourly(): Promise<void> {
    await this.sweeps.run('work', this.work);
    await this.sweeps.run('media', this.media);
    await this.sweeps.run('unknown tables', this.unknownTables);
  }
}

export const SWEEPS = [DraftSweep, GenerationSweep, WorkSweep, MediaSweep, UnknownTableSweep, SweepSchedule];
