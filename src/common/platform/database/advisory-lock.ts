import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { trySharedTransactionLock, tryTransactionLock } from './transaction-lock';

const SPACE = 1;

/** A lock that one process of the installation can hold. Postgres releases it when the connection ends. */
@Injectable()
export class AdvisoryLock {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs the work if no other process holds the lock, nor the one named `besides` alone; returns whether it did. */
  async withAdvisoryLock(name: string, work: () => Promise<void>, besides?: string): Promise<boolean> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      const held =
        (await tryTransactionLock(runner, name, SPACE)) &&
        (besides === undefined || (await trySharedTransactionLock(runner, besides, SPACE)));
      if (held) await work();
      await runner.commitTransaction();
      return held;
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    }
  }
}
