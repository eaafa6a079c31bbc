import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';

const EXCLUSIVE = 'pg_try_advisory_xact_lock';
const SHARED = 'pg_try_advisory_xact_lock_shared';

/**
 * Takes a lock that ends with the runner's transaction, and lifts the transaction's idle and statement timeouts. A session lock would stay
 * on a pooled connection in transaction mode.
 */
export const tryTransactionLock = (runner: QueryRunner, name: string, space: number): Promise<boolean> =>
  tryLock(runner, EXCLUSIVE, name, space);

/** Many may hold it at once, but not beside one that holds it alone. */
const trySharedTransactionLock = (runner: QueryRunner, name: string, space: number): Promise<boolean> =>
  tryLock(runner, SHARED, name, space);

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

async function tryLock(
  runner: QueryRunner,
  take: typeof EXCLUSIVE | typeof SHARED,
  name: string,
  space: number,
): Promise<boolean> {
  await runner.query('SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0');
  const rows = (await runner.query(`SELECT ${take}(hashtextextended($1, $2)) AS held`, [name, space])) as {
    held: boolean;
  }[];
  return rows[0]?.held === true;
}
