import { MigrationExecutor, type DataSource } from 'typeorm';
import { StartError } from '../config/start-error';
import { underSchemaLock } from './schema-lock';

export interface MigrationOptions {
  /** Migrations only go forward, so this version may not know what a newer one wrote. */
  readonly refuseNewer?: boolean;
}

/** Runs the pending migrations in one transaction. */
export async function runMigrations(
  dataSource: DataSource,
  { refuseNewer = false }: MigrationOptions = {},
): Promise<string[]> {
  return await underSchemaLock(dataSource, async (runner) => {
    const executor = new MigrationExecutor(dataSource, runner);
    // In the transaction that holds the lock.
    executor.transaction = 'none';
    if (refuseNewer) await assertAllKnown(dataSource, executor);
    const executed = await executor.executePendingMigrations();
    return executed.map(({ name }) => name);
  });
}

async function assertAllKnown({ migrations }: DataSource, executor: MigrationExecutor): Promise<void> {
  const known = new Set(migrations.map((migration) => migration.name ?? migration.constructor.name));
  const foreign = (await executor.getExecutedMigrations()).map(({ name }) => name).filter((name) => !known.has(name));
  if (foreign.length === 0) return;
  throw new StartError(
    `A newer version of this service has migrated the database (${foreign.join(', ')}), and migrations only go forward: use that version, or restore a backup from before it.`,
  );
}

/** Returns the statements needed to make the tables match the entities; none if the migrations are complete. */
export async function schemaDifferences(dataSource: DataSource): Promise<string[]> {
  const log = await dataSource.driver.createSchemaBuilder().log();
  return log.upQueries.map(({ query }) => query);
}
