import { setTimeout as delay } from 'node:timers/promises';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { Logger } from '@nestjs/common';
import { connect, createDataSource, type DataSourceSettings } from './data-source';
import { EmbeddedPostgres } from './embedded-postgres';
import { StartError } from '../config/configuration-error';
import { failpoint } from '../config/failpoint';
import { explainStartupError, addressOf } from './database-refusal';
import { tryTransactionLock } from './advisory-lock';
import { withoutCallLimit } from '../outage/call-limit';

export type DatabaseConfig = { readonly url: string } | { readonly embedded: { readonly folder: string } };

export interface DatabaseSettings extends Omit<DataSourceSettings, 'url'>, MigrationOptions {
  readonly database: DatabaseConfig;
}

/** Connects and migrates. An embedded server starts before the data source connects and stops after it is destroyed. */
export async function openDatabase({ database, refuseNewer, ...settings }: DatabaseSettings): Promise<DataSource> {
  const server = 'url' in database ? undefined : await EmbeddedPostgres.start(database.embedded);
  const dataSource = createDataSource({ ...settings, url: 'url' in database ? database.url : server!.url });
  const destroy = dataSource.destroy.bind(dataSource);
  dataSource.destroy = async () => {
    try {
      if (dataSource.isInitialized) await destroy();
    } finally {
      await server?.stop();
    }
  };
  try {
    await connect(dataSource);
    await runMigrations(dataSource, { refuseNewer: refuseNewer ?? false });
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

interface MigrationOptions {
  /** Whether to refuse a database that a newer version has migrated: migrations only go forward, so this version may not know its schema. */
  readonly refuseNewer?: boolean;
}

/** Runs the pending migrations in one transaction. */
export async function runMigrations(
  dataSource: DataSource,
  { refuseNewer = false }: MigrationOptions = {},
): Promise<string[]> {
  return await underSchemaLock(dataSource, async (runner) => {
    const executor = new MigrationExecutor(dataSource, runner);
    // `underSchemaLock` has already begun the transaction that holds the lock.
    executor.transaction = 'none';
    if (refuseNewer) await assertAllKnown(dataSource, executor);
    const executed = await executor.executePendingMigrations();
    failpoint('schema-migrated');
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

const NAME = 'schema_migration';
const SPACE = 0;
const TRY_EVERY_MS = 100;
const LOG_EVERY_MS = 5_000;

const logger = new Logger('Database');

/** Only one process changes the schema at a time; other replicas wait. The runner's transaction commits with the work. */
const underSchemaLock = <T>(dataSource: DataSource, work: (runner: QueryRunner) => Promise<T>): Promise<T> =>
  withoutCallLimit(() => lockSchema(dataSource, work));

async function lockSchema<T>(dataSource: DataSource, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await beginWithLock(runner);
    const result = await work(runner);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    throw explainStartupError(error, addressOf((dataSource.options as { url: string }).url));
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
  }
}

/** Polls instead of blocking in one statement, which a statement timeout would cancel. */
async function beginWithLock(runner: QueryRunner): Promise<void> {
  let loggedAt = Date.now();
  for (;;) {
    await runner.startTransaction();
    if (await tryTransactionLock(runner, NAME, SPACE)) return;
    await runner.rollbackTransaction();
    if (Date.now() - loggedAt >= LOG_EVERY_MS) {
      loggedAt = Date.now();
      logger.warn('Waiting for another process that is migrating this database');
    }
    await delay(TRY_EVERY_MS);
  }
}
