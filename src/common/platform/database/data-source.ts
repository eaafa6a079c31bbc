import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntitySchema, type MigrationInterface, DefaultNamingStrategy, type Table } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { DatabaseUnavailableError, isOutage, addressOf, reasonOf, unavailableError } from './database-refusal';
import { beginSession } from './pool-usage';
import { DatabaseOutageError } from '../outage/outage';
import { databaseFailure, guardedPg } from './guarded-pg';
import type { SealedColumn } from './sealed-columns';

const snake = (name: string): string =>
  name
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toLowerCase();

const bare = (table: Table | string): string => (typeof table === 'string' ? table : table.name).split('.').at(-1)!;

/** snake_case, and the names that Postgres itself would choose for keys and indexes, so that migrations need not spell them out. */
class PostgresNamingStrategy extends DefaultNamingStrategy {
  override tableName(className: string, given: string | undefined): string {
    return given ?? snake(className.replace(/Entity$/, ''));
  }

  override columnName(propertyName: string, given: string | undefined, embeddedPrefixes: string[]): string {
    return [...embeddedPrefixes.map(snake), given ?? snake(propertyName)].join('_');
  }

  override relationName(propertyName: string): string {
    return snake(propertyName);
  }

  override joinColumnName(relationName: string, referencedColumnName: string): string {
    return snake(`${relationName}_${referencedColumnName}`);
  }

  override joinTableColumnName(tableName: string, propertyName: string, columnName?: string): string {
    return snake(`${tableName}_${columnName ?? propertyName}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${bare(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columnNames: string[]): string {
    return `${bare(table)}_${columnNames.join('_')}_key`;
  }

  override relationConstraintName(table: Table | string, columnNames: string[]): string {
    return this.uniqueConstraintName(table, columnNames);
  }

  override foreignKeyName(table: Table | string, columnNames: string[]): string {
    return `${bare(table)}_${columnNames.join('_')}_fkey`;
  }

  override indexName(table: Table | string, columnNames: string[]): string {
    return `${bare(table)}_${columnNames.join('_')}_idx`;
  }
}

type Class<T = object> = abstract new (...values: never[]) => T;

export interface SchemaParts {
  readonly entities: readonly (Class | EntitySchema)[];
  readonly migrations: readonly (new () => MigrationInterface)[];
  readonly sealed?: readonly SealedColumn[];
}

export interface DataSourceSettings extends SchemaParts {
  readonly url: string;
  readonly applicationName: string;
  readonly poolSize?: number;
  /** The query timeout during a request. */
  readonly callTimeoutMs?: number;
}

const OLDEST_VERSION = 15;
const MAX_DELAY_MS = 2_000;
const LOG_EVERY_MS = 5_000;
const SESSION_LIMITS = { statementTimeoutMs: 30_000, idleInTransactionTimeoutMs: 60_000 };
const CALL_TIMEOUT_MS = 10_000;
const POOL_SIZE = 15;

const logger = new Logger('Database');

export function createDataSource(settings: DataSourceSettings): DataSource {
  const callTimeoutMs = settings.callTimeoutMs ?? CALL_TIMEOUT_MS;
  const { reachability, driver } = guardedPg(settings.url, callTimeoutMs, () => dataSource.isInitialized);
  const dataSource = new DataSource({
    type: 'postgres',
    driver,
    url: settings.url,
    applicationName: settings.applicationName,
    poolSize: settings.poolSize ?? POOL_SIZE,
    connectTimeoutMS: callTimeoutMs,
    entities: [...settings.entities],
    migrations: [...settings.migrations],
    migrationsTableName: 'schema_migration',
    namingStrategy: new PostgresNamingStrategy(),
    installExtensions: false,
    poolErrorHandler: (error: Error) => {
      // During shutdown, idle connections may be closed after the server has stopped.
      if (!dataSource.isInitialized) return;
      const failure = databaseFailure(error, callTimeoutMs);
      if (failure instanceof DatabaseOutageError) reachability.reportFailure(failure);
      else logger.warn(`A connection to Postgres was lost: ${error.message}`);
    },
    extra: {
      keepAlive: true,
      onConnect: (client: PoolClient) => beginSession(client, SESSION_LIMITS),
    },
  });
  const destroy = dataSource.destroy.bind(dataSource);
  dataSource.destroy = async () => {
    reachability.close();
    await destroy();
  };
  return dataSource;
}

/** Returns why this version of Postgres (server_version_num) is not supported; undefined if it is. */
export function unsupportedVersion(version: number, place: string): string | undefined {
  const major = Math.floor(version / 10_000);
  if (major >= OLDEST_VERSION) return undefined;
  return `Postgres at ${place} is version ${major}, but ${OLDEST_VERSION} or newer is required. Upgrade it, or set DATABASE_URL to another server.`;
}

async function assertVersion(dataSource: DataSource, place: string): Promise<void> {
  const [row] = await dataSource.query<{ server_version_num: string }[]>('SHOW server_version_num');
  const sentence = unsupportedVersion(Number(row!.server_version_num), place);
  if (sentence === undefined) return;
  await dataSource.destroy();
  throw new DatabaseUnavailableError(sentence);
}

/** Connects, and waits while Postgres is starting or unreachable. */
export async function connect(dataSource: DataSource, maxWaitMs = Infinity): Promise<void> {
  const place = addressOf((dataSource.options as { url: string }).url);
  const since = new Date();
  let loggedAt = -Infinity;
  for (let delayMs = 100; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
    try {
      await dataSource.initialize();
      break;
    } catch (error) {
      if (!isOutage(error) || Date.now() + delayMs > since.getTime() + maxWaitMs) throw unavailableError(error, place);
      if (Date.now() - loggedAt >= LOG_EVERY_MS) {
        loggedAt = Date.now();
        logger.warn(`Waiting for Postgres at ${place} since ${since.toISOString()}: ${reasonOf(error)}`);
      }
      await delay(delayMs);
    }
  }
  ignoreErrorsDuringCheckout(dataSource);
  await assertVersion(dataSource, place);
}

const ignore = (): void => undefined;

/** A connection that fails during checkout has no error listener yet, which would end the process. The caller gets the failure anyway. */
function ignoreErrorsDuringCheckout({ driver }: DataSource): void {
  const pool = (driver as PostgresDriver).master as Pool;
  pool.on('acquire', (client) => {
    if (client.listenerCount('error', ignore) === 0) client.on('error', ignore);
  });
}
