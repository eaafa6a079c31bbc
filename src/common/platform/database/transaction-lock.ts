import type { QueryRunner } from 'typeorm';

const EXCLUSIVE = 'pg_try_advisory_xact_lock';
const SHARED = 'pg_try_advisory_xact_lock_shared';

/**
 * Takes a lock that ends with the runner's transaction, and lifts the transaction's idle and statement timeouts. A session lock would stay
 * on a pooled connection in transaction mode.
 */
export const tryTransactionLock = (runner: QueryRunner, name: string, space: number): Promise<boolean> =>
  tryLock(runner, EXCLUSIVE, name, space);

/** Many may hold it at once, but not beside one that holds it alone. */
export const trySharedTransactionLock = (runner: QueryRunner, name: string, space: number): Promise<boolean> =>
  tryLock(runner, SHARED, name, space);

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
