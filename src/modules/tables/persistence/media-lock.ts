import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';

const NAME = "hashtextextended('blob-sweep', 2)";

/** Media are stored before they are referenced, so uploads and operations share this lock, and a sweep of media holds it exclusively. */
@Injectable()
export class MediaLock {
  constructor(private readonly transactions: TransactionRunner) {}

  /** Waits for a sweep that is deleting media. No sweep starts deleting until the caller's transaction ends. */
  async share(): Promise<void> {
    await this.transactions.run((manager) => manager.query(`SELECT pg_advisory_xact_lock_shared(${NAME})`));
  }

  /** Runs `work` in a transaction during which no upload or operation can start referencing media. */
  async holdAlone<T>(work: () => Promise<T>): Promise<T> {
    return this.transactions.run(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(${NAME})`);
      return work();
    });
  }
}
