import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { DatasetReader, DatasetWriter } from '../../datasets';

const ABANDONED_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** Deletes drafts unchanged for a month. */
@Injectable()
export class DraftSweep {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly writer: DatasetWriter,
  ) {}

  async sweep(now: Date): Promise<number> {
    const cutoff = new Date(now.getTime() - ABANDONED_AFTER_MS);
    let removed = 0;
    for (const id of await this.writer.listStaleDrafts(cutoff)) {
      await this.transactions.run(async () => {
        const dataset = await this.datasets.lock(id);
        if (dataset.status !== 'DRAFT' || !(await this.writer.isUntouchedSince(id, cutoff))) return;
        await this.writer.delete(id);
        removed += 1;
      });
    }
    return removed;
  }
}
