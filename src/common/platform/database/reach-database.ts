import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { StartError } from '../config/configuration-error';
import { DataFolderInUseError, DataFolderLock } from './data-folder-lock';
import { unavailableError, addressOf } from './database-refusal';
import { EmbeddedPostgres, embeddedUrl } from './embedded-postgres';

export interface DatabasePlace {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly databaseDirectUrl: string | null;
}

export interface ReachedDatabase {
  readonly url: string;
  /** Whether a service is running with this data folder. */
  readonly isRunning: boolean;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Connects a command to the database of an installation, whether or not the service is running. Changes nothing in the database. */
export async function reachDatabase(place: DatabasePlace): Promise<ReachedDatabase> {
  const url = place.databaseDirectUrl ?? place.databaseUrl;
  if (url !== null) return { url, isRunning: false, close: () => Promise.resolve() };
  const folder = join(place.dataDir, 'postgres');
  const lock = takeUnlessInUse(place.dataDir);
  if (lock === undefined) return { url: urlOfRunning(folder), isRunning: true, close: () => Promise.resolve() };
  try {
    const server = await EmbeddedPostgres.start({ folder });
    return {
      url: server.url,
      isRunning: false,
      async close() {
        await server.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

export const hasDatabase = ({ dataDir, databaseUrl }: DatabasePlace): boolean =>
  databaseUrl !== null || existsSync(join(dataDir, 'postgres', 'cluster'));

/** Opens a connection without timeouts, which the caller ends. */
export async function connectClient(url: string, applicationName: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // The caller gets the error with its next query.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw unavailableError(error, addressOf(url));
  }
  return client;
}

function takeUnlessInUse(dataDir: string): DataFolderLock | undefined {
  try {
    return DataFolderLock.take(dataDir);
  } catch (error) {
    if (error instanceof DataFolderInUseError) return undefined;
    throw error;
  }
}

function urlOfRunning(folder: string): string {
  try {
    const password = readFileSync(join(folder, 'password'), 'utf8').trim();
    const port = Number(readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[3]);
    if (Number.isInteger(port) && port > 0) return embeddedUrl(port, password);
  } catch {
    // It has not started yet, or is stopping.
  }
  throw new StartError(`Postgres in ${folder} is starting or stopping: try again in a moment.`);
}
