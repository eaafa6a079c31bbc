import { MigrationExecutor, type DataSource } from 'typeorm';
import { underSchemaLock } from './schema-lock';

/** Runs what is pending, once: all of it or nothing. */
export async function runMigrations(dataSource: DataSource): Promise<string[]> {
  return await underSchemaLock(dataSource, async (runner) => {
    const executor = new MigrationExecutor(dataSource, runner);
    // In the transaction that holds the lock.
    executor.transaction = 'none';
    const executed = await executor.executePendingMigrations();
    return executed.map(({ name }) => name);
  });
}

/** The statements that would still be needed to make the tables what the entities say: none if the migrations are complete. */
export async function schemaDifferences(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}
