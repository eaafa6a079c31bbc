import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AdvisoryLock } from '../../../common/database/advisory-lock';
import { DraftSweep } from './draft.sweep';
import { GenerationSweep } from './generation.sweep';
import { MediaSweep } from './media.sweep';
import { WorkSweep } from './work.sweep';

const MINUTE_MS = 60 * 1000;

/** Runs the sweeps, in one process of the installation at a time. */
@Injectable()
export class SweepSchedule {
  private readonly logger = new Logger(SweepSchedule.name);

  constructor(
    private readonly lock: AdvisoryLock,
    private readonly drafts: DraftSweep,
    private readonly generations: GenerationSweep,
    private readonly work: WorkSweep,
    private readonly media: MediaSweep,
  ) {}

  @Interval(5 * MINUTE_MS)
  async frequent(): Promise<void> {
    await this.run('drafts', this.drafts);
    await this.run('generations', this.generations);
  }

  @Interval(60 * MINUTE_MS)
  async hourly(): Promise<void> {
    await this.run('work', this.work);
    await this.run('media', this.media);
  }

  private async run(name: string, target: { sweep(now: Date): Promise<number> }): Promise<void> {
    try {
      await this.lock.withAdvisoryLock(`sweep-${name}`, async () => {
        const removed = await target.sweep(new Date());
        if (removed > 0) this.logger.log(`Swept ${removed} of ${name}`);
      });
    } catch (error) {
      this.logger.error(`The sweep of ${name} failed`, error instanceof Error ? error.stack : String(error));
    }
  }
}
