import type { QueryRunner } from 'typeorm';

/**
 * Takes a lock that ends with the runner's transaction, and lets that transaction stand idle and its statements take their time. A lock
 * of a session would stay with some connection of a pooler that hands out connections by the transaction.
 */
export async function tryTransactionLock(runner: QueryRunner, name: string, space: number): Promise<boolean> {
  await runner.query('SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL statement_timeout = 0');
  const rows = (await runner.query('SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2)) AS held', [
    name,
    space,
  ])) as { held: boolean }[];
  return rows[0]?.held === true;
}
