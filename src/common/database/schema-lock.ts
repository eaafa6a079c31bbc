import type { DataSource, QueryRunner } from 'typeorm';

const LOCK = `hashtextextended('schema_migration', 0)`;

/** One process at a time, however many replicas start together; the others wait. */
export async function underSchemaLock<T>(
  dataSource: DataSource,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  await runner.connect();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.query(`SELECT pg_advisory_lock(${LOCK})`);
    try {
      return await work(runner);
    } finally {
      await runner.query(`SELECT pg_advisory_unlock(${LOCK})`);
      await runner.query('RESET statement_timeout');
    }
  } finally {
    await runner.release();
  }
}
