import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { tryTransactionLock } from './transaction-lock';

const SPACE = 1;

/** A lock that one process in the whole installation can hold; Postgres drops it with the connection. */
@Injectable()
export class AdvisoryLock {
  constructor(private readonly dataSource: DataSource) {}

  /** Does the work if nobody else is at it; says whether it did. */
  async withAdvisoryLock(name: string, work: () => Promise<void>): Promise<boolean> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      const held = await tryTransactionLock(runner, name, SPACE);
      if (held) await work();
      await runner.commitTransaction();
      return held;
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    }
  }
}
