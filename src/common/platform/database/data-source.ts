import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntitySchema, type MigrationInterface } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { DatabaseUnavailableError, isAway, placeOf, reasonOf, refusal } from './database-refusal';
import { beginSession } from './pooled-connection';
import { DatabaseOutageError } from '../outage/outage';
import { databaseFailure, guardedPg } from './guarded-pg';
import { PostgresNamingStrategy } from './postgres-naming-strategy';
import type { SealedColumn } from './sealed-columns';

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
  /** How long a query may take while a caller waits for it. */
  readonly callTimeoutMs?: number;
}

const OLDEST_VERSION = 15;
const LONGEST_PAUSE_MS = 2_000;
const TELL_EVERY_MS = 5_000;
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
      // Connections that are given up at the end may close after the server has.
      if (!dataSource.isInitialized) return;
      const failure = databaseFailure(error, callTimeoutMs);
      if (failure instanceof DatabaseOutageError) reachability.suspect(failure);
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

/** Why a Postgres of this version (server_version_num) is refused. */
export function tooOld(version: number, place: string): string | undefined {
  const major = Math.floor(version / 10_000);
  if (major >= OLDEST_VERSION) return undefined;
  return `Postgres at ${place} is version ${major}, but ${OLDEST_VERSION} or newer is needed: upgrade it, or name another in DATABASE_URL.`;
}

async function assertVersion(dataSource: DataSource, place: string): Promise<void> {
  const [row] = await dataSource.query<{ server_version_num: string }[]>('SHOW server_version_num');
  const sentence = tooOld(Number(row!.server_version_num), place);
  if (sentence === undefined) return;
  await dataSource.destroy();
  throw new DatabaseUnavailableError(sentence);
}

/** Connects, and waits for a Postgres that is still starting or away. */
export async function connect(dataSource: DataSource, patienceMs = Infinity): Promise<void> {
  const place = placeOf((dataSource.options as { url: string }).url);
  const since = new Date();
  let toldAt = -Infinity;
  for (let pause = 100; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      await dataSource.initialize();
      break;
    } catch (error) {
      if (!isAway(error) || Date.now() + pause > since.getTime() + patienceMs) throw refusal(error, place);
      if (Date.now() - toldAt >= TELL_EVERY_MS) {
        toldAt = Date.now();
        logger.warn(`Waiting for Postgres at ${place} since ${since.toISOString()}: ${reasonOf(error)}`);
      }
      await delay(pause);
    }
  }
  hearOfEveryLoss(dataSource);
  await assertVersion(dataSource, place);
}

const ignore = (): void => undefined;

/** A connection that is lost just as it changes hands has nobody to hear of it, and would end the process. Who uses it fails anyhow. */
function hearOfEveryLoss({ driver }: DataSource): void {
  const pool = (driver as PostgresDriver).master as Pool;
  pool.on('acquire', (client) => {
    if (client.listenerCount('error', ignore) === 0) client.on('error', ignore);
  });
}
