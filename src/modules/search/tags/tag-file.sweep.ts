import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AdvisoryLock } from '../../../common/database/advisory-lock';
import { TransactionRunner } from '../../../common/database/transaction-runner';
import { TagFileRepository } from './persistence/tag-file.repository';
import { TagFiles } from './tag-files';

const MINUTE_MS = 60 * 1000;
/** Readers that were told of a file before it was orphaned have this long to finish. */
const GRACE_MS = 10 * MINUTE_MS;

/** Drops files of assignments that nothing points at, in one process of the installation at a time. */
@Injectable()
export class TagFileSweep {
  private readonly logger = new Logger(TagFileSweep.name);

  constructor(
    private readonly lock: AdvisoryLock,
    private readonly transactions: TransactionRunner,
    private readonly repository: TagFileRepository,
    private readonly files: TagFiles,
  ) {}

  @Interval(5 * MINUTE_MS)
  async sweepAlone(): Promise<void> {
    try {
      await this.lock.withAdvisoryLock('sweep-tag-files', async () => {
        const removed = await this.sweep(new Date());
        if (removed > 0) this.logger.log(`Swept ${removed} of tag files`);
      });
    } catch (error) {
      this.logger.error('The sweep of tag files failed', error instanceof Error ? error.stack : String(error));
    }
  }

  async sweep(now: Date): Promise<number> {
    await this.repository.markOrphans(now);
    let removed = 0;
    for (const id of await this.repository.listOrphans(new Date(now.getTime() - GRACE_MS))) {
      if (await this.transactions.run(() => this.remove(id))) removed++;
    }
    return removed;
  }

  private async remove(id: string): Promise<boolean> {
    if (!(await this.repository.lockUnused(id))) return false;
    await this.files.remove(id);
    return true;
  }
}
