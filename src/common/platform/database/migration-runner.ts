import { MigrationExecutor, type DataSource } from 'typeorm';
import { underSchemaLock } from './schema-lock';

/** Runs the pending migrations in one transaction. */
export async function runMigrations(dataSource: DataSource): Promise<string[]> {
  return await underSchemaLock(dataSource, async (runner) => {
    const executor = new MigrationExecutor(dataSource, runner);
    // In the transaction that holds the lock.
    executor.transaction = 'none';
    const executed = await executor.executePendingMigrations();
    return executed.map(({ name }) => name);
  });
}

/** Returns the statements needed to make the tables match the entities; none if the migrations are complete. */
export async function schemaDifferences(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}
