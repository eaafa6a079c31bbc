import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/database/transaction-runner';
import { DatasetRepository } from '../../datasets';

const ABANDONED_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** Deletes drafts that nobody has touched for a month. */
@Injectable()
export class DraftSweep {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetRepository,
  ) {}

  async sweep(now: Date): Promise<number> {
    const cutoff = new Date(now.getTime() - ABANDONED_AFTER_MS);
    let removed = 0;
    for (const id of await this.datasets.listStaleDrafts(cutoff)) {
      await this.transactions.run(async () => {
        const dataset = await this.datasets.lock(id);
        if (dataset.status !== 'DRAFT' || !(await this.datasets.isUntouchedSince(id, cutoff))) return;
        await this.datasets.delete(id);
        removed += 1;
      });
    }
    return removed;
  }
}
