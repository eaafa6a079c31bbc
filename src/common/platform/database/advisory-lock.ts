import { Injectable } from '@nestjs/common';
import { DataSource, type QueryRunner } from 'typeorm';

const EXCLUSIVE = 'pg_try_advisory_xact_lock';
const SHARED = 'pg_try_advisory_xact_lock_shared';

/**
 * Takes a lock that is released at the end of the runner's transaction, and disables the transaction's idle and statement timeouts. A session lock
 * would stay on a pooled connection in transaction mode.
 */
export const tryTransactionLock = (runner: QueryRunner, name: string, space: number): Promise<boolean> =>
  tryLock(runner, EXCLUSIVE, name, space);

/** Takes the lock in shared mode. */
const trySharedTransactionLock = (runner: QueryRunner, name: string, space: number): Promise<boolean> =>
  tryLock(runner, SHARED, name, space);

const SPACE = 1;

/** Locks shared by all processes of the installation. Postgres releases them when the connection ends. */
@Injectable()
export class AdvisoryLock {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs the work unless another process holds the lock, or holds the lock `besides` exclusively; returns whether it ran. */
  withAdvisoryLock(name: string, work: () => Promise<void>, besides?: string): Promise<boolean> {
    return this.underLock(
      async (runner) =>
        (await tryTransactionLock(runner, name, SPACE)) &&
        (besides === undefined || (await trySharedTransactionLock(runner, besides, SPACE))),
      work,
    );
  }

  /** Runs the work unless another process holds the lock exclusively, and holds it in shared mode meanwhile; returns whether it ran. */
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
