import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AdvisoryLock } from '../../../common/database/advisory-lock';
import { SearchAnchorRepository } from './persistence/search-anchor.repository';

const HOUR_MS = 60 * 60 * 1000;

/** Deletes anchors that have expired, in one process of the installation at a time. */
@Injectable()
export class AnchorSweep {
  private readonly logger = new Logger(AnchorSweep.name);

  constructor(
    private readonly lock: AdvisoryLock,
    private readonly anchors: SearchAnchorRepository,
  ) {}

  sweep(now: Date): Promise<number> {
    return this.anchors.deleteExpired(now);
  }

  @Interval(HOUR_MS)
  async hourly(): Promise<void> {
    try {
      await this.lock.withAdvisoryLock('sweep-anchors', async () => {
        const removed = await this.sweep(new Date());
        if (removed > 0) this.logger.log(`Swept ${removed} of anchors`);
      });
    } catch (error) {
      this.logger.error('The sweep of anchors failed', error instanceof Error ? error.stack : String(error));
    }
  }
}
