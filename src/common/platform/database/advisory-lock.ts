import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';
import { trySharedTransactionLock, tryTransactionLock } from './transaction-lock';

const SPACE = 1;

/** A lock that one process of the installation can hold. Postgres releases it when the connection ends. */
@Injectable()
export class AdvisoryLock {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs the work if no other process holds the lock, nor the one named `besides` alone; returns whether it did. */
  withAdvisoryLock(name: string, work: () => Promise<void>, besides?: string): Promise<boolean> {
    return this.underLock(
      async (runner) =>
        (await tryTransactionLock(runner, name, SPACE)) &&
        (besides === undefined || (await trySharedTransactionLock(runner, besides, SPACE))),
      work,
    );
  }

  /** Runs the work unless another process holds the lock alone, which then waits for it; returns whether it did. */
  withSharedLock(name: string, work: () => Promise<void>): Promise<boolean> {
    return this.underLock((runner) => trySharedTransactionLock(runner, name, SPACE), work);
  }

  private async underLock(
    take: (runner: QueryRunner) => Promise<boolean>,
    work: () => Promise<void>,
  ): Promise<boolean> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      const held = await take(runner);
      if (held) await work();
      await runner.commitTransaction();
      return held;
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    }
  }
}
