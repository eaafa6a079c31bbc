import type { QueryRunner } from 'typeorm';

/**
 * Takes a lock that ends with the runner's transaction, and lifts the transaction's idle and statement timeouts. A session lock would stay
 * on a pooled connection in transaction mode.
 */
export async function tryTransactionLock(runner: QueryRunner, name: string, space: number): Promise<boolean> {
  await runner.query('SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0');
  const rows = (await runner.query('SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2)) AS held', [
    name,
    space,
  ])) as { held: boolean }[];
  return rows[0]?.held === true;
}

/** Many may hold it at once, but not beside one that holds it alone. Call it in a transaction that holds another lock. */
export async function trySharedTransactionLock(runner: QueryRunner, name: string, space: number): Promise<boolean> {
  const rows = (await runner.query('SELECT pg_try_advisory_xact_lock_shared(hashtextextended($1, $2)) AS held', [
    name,
    space,
  ])) as { held: boolean }[];
  return rows[0]?.held === true;
}
