import { MigrationExecutor, type DataSource } from 'typeorm';

const LOCK = `hashtextextended('schema_migration', 0)`;

/** Runs what is pending, once, however many replicas start together. */
export async function runMigrations(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  await runner.connect();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.query(`SELECT pg_advisory_lock(${LOCK})`);
    try {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'each';
      const executed = await executor.executePendingMigrations();
      return executed.map(({ name }) => name);
    } finally {
      await runner.query(`SELECT pg_advisory_unlock(${LOCK})`);
      await runner.query('RESET statement_timeout');
    }
  } finally {
    await runner.release();
  }
}

/** The statements that would still be needed to make the tables what the entities say: none if the migrations are complete. */
export async function schemaDifferences(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}
