import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntitySchema, type MigrationInterface } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { StartError } from '../config/start-error';
import { beginSession } from './pooled-connection';
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
  readonly poolSize: number;
}

export class DatabaseUnavailableError extends StartError {}

const OLDEST_VERSION = 15;
const START_TIMEOUT_MS = 60_000;
const SESSION_LIMITS = { statementTimeoutMs: 30_000, idleInTransactionTimeoutMs: 60_000 };
const CONNECT_TIMEOUT_MS = 15_000;
const MAY_PASS = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', '57P03', '53300']);

const logger = new Logger('Database');

export function createDataSource(settings: DataSourceSettings): DataSource {
  const dataSource = new DataSource({
    type: 'postgres',
    url: settings.url,
    applicationName: settings.applicationName,
    poolSize: settings.poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    entities: [...settings.entities],
    migrations: [...settings.migrations],
    migrationsTableName: 'schema_migration',
    namingStrategy: new PostgresNamingStrategy(),
    installExtensions: false,
    poolErrorHandler: (error: Error) => {
      // Connections that are given up at the end may close after the server has.
      if (dataSource.isInitialized) logger.warn(`A connection to Postgres was lost: ${error.message}`);
    },
    extra: {
      keepAlive: true,
      onConnect: (client: PoolClient) => beginSession(client, SESSION_LIMITS),
    },
  });
  return dataSource;
}

function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return code ?? errors?.[0]?.code ?? '';
}

async function assertVersion(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ server_version_num: string }[]>('SHOW server_version_num');
  const major = Math.floor(Number(row!.server_version_num) / 10_000);
  if (major < OLDEST_VERSION)
    throw new DatabaseUnavailableError(
      `DATABASE_URL names a Postgres ${major}, but ${OLDEST_VERSION} or newer is needed.`,
    );
}

/** Connects, and waits for a Postgres that is still starting. */
export async function connect(dataSource: DataSource, timeoutMs = START_TIMEOUT_MS): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    try {
      await dataSource.initialize();
      break;
    } catch (error) {
      const message = error instanceof Error && error.message !== '' ? error.message : codeOf(error);
      if (!MAY_PASS.has(codeOf(error)) || Date.now() + wait > deadline) {
        throw new DatabaseUnavailableError(`Postgres cannot be reached: ${message}`, { cause: error });
      }
      logger.warn(`Postgres is not ready yet: ${message}`);
      await delay(wait);
    }
  }
  hearOfEveryLoss(dataSource);
  await assertVersion(dataSource);
}

const ignore = (): void => undefined;

/** A connection that is lost just as it changes hands has nobody to hear of it, and would end the process. Who uses it fails anyhow. */
function hearOfEveryLoss({ driver }: DataSource): void {
  const pool = (driver as PostgresDriver).master as Pool;
  pool.on('acquire', (client) => {
    if (client.listenerCount('error', ignore) === 0) client.on('error', ignore);
  });
}
