import { createHash, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { connect, createDataSource, type SchemaParts } from '../../src/common/platform/database/data-source';
import { runMigrations } from '../../src/common/platform/database/open-database';
import { TransactionRunner } from '../../src/common/platform/database/transaction-runner';
import { TEST_DATABASE_SERVER } from './test-server';

export interface TestDatabase {
  readonly url: string;
  readonly dataSource: DataSource;
  readonly transactions: TransactionRunner;
  drop(): Promise<void>;
}

function urlOf(database: string): string {
  const server = process.env[TEST_DATABASE_SERVER];
  if (server === undefined)
    throw new Error('The test server is not running: run the tests with the jest.config.js of this project.');
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** Uses its own connection, whose end releases its locks. */
export async function onServer<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const open = (database: string, parts: SchemaParts): DataSource =>
  createDataSource({ ...parts, url: urlOf(database), applicationName: 'test', poolSize: 10 });

/** Migrates one template per set of migrations. The first caller creates it, and the others wait. */
async function ensureTemplate(client: Client, parts: SchemaParts): Promise<string> {
  const sources = parts.migrations.map((migration) => migration.toString()).join('\n');
  const name = `template_${createHash('sha256').update(sources).digest('hex').slice(0, 16)}`;
  await client.query('SELECT pg_advisory_lock(1)');
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount !== 0) return name;
    const draft = `draft_${randomUUID().replaceAll('-', '')}`;
    await client.query(`CREATE DATABASE ${draft}`);
    const dataSource = open(draft, parts);
    await connect(dataSource);
    await runMigrations(dataSource);
    await dataSource.destroy();
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    return name;
  } finally {
    await client.query('SELECT pg_advisory_unlock(1)');
  }
}

/** A migrated database for one test file. */
export async function createTestDatabase(parts: SchemaParts): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(async (client) => {
    const template = await ensureTemplate(client, parts);
    // Writing the copy to the log first takes five times as long.
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  });
  const dataSource = open(name, parts);
  await connect(dataSource);
  return {
    url: urlOf(name),
    dataSource,
    transactions: new TransactionRunner(dataSource),
    drop: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      await onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}
