import { Logger } from '@nestjs/common';
import pg from 'pg';
import { callLimit } from '../outage/call-limit';
import { DatabaseOutageError, DiskFullError, isNetworkCode } from '../outage/outage';
import { Reachability } from '../outage/reachability';
import { errorCode, errorMessage } from '../errors/error-code';

/** Codes that Postgres or a pooler returns while it cannot serve: it stops, starts, has no free connection, or is temporarily a standby. */
const OUTAGE_CODES = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25006']);
const DISK_FULL = '53100';
const QUERY_TIMEOUT = 'Query read timeout';
/** The messages by which the client and its pool report a missing or lost connection. */
const CONNECTION_LOST =
  /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;
const PROBE_TIMEOUT_MS = 2_500;

type Query = (query: unknown, values?: unknown, callback?: unknown) => unknown;
type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error) => void,
) => void;

/** Converts a failure caused by an outage into an OutageError. */
export function databaseFailure(error: unknown, limitMs: number): unknown {
  const code = errorCode(error) ?? '';
  const message = errorMessage(error);
  if (code === DISK_FULL) return new DiskFullError('the disk of the database', { cause: error });
  if (message === QUERY_TIMEOUT) {
    const reason = `The database did not answer within ${limitMs / 1_000} s`;
    return new DatabaseOutageError(reason, code || 'ETIMEDOUT', { cause: error });
  }
  const isOutage =
    OUTAGE_CODES.has(code) || code.startsWith('08') || isNetworkCode(code) || CONNECTION_LOST.test(message);
  if (!isOutage) return error;
  return new DatabaseOutageError(message || code, code || undefined, { cause: error });
}

const destroyConnection = (client: pg.Client): void =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();

/** Uses its own connection, since those of the pool may hang. */
async function probe(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    void client.end().catch(() => undefined);
  }
}

export interface GuardedPg {
  readonly reachability: Reachability;
  /** Replaces the module `pg`. */
  readonly driver: object;
}

/** A Postgres client that distinguishes outages from other errors, limits the time of a query, and fails fast during an outage. */
export function guardedPg(url: string, limitMs: number, isStarted: () => boolean): GuardedPg {
  const reachability = new Reachability('Postgres', () => probe(url), new Logger('Outage'));
  const classified = (error: unknown): unknown => {
    // During startup, `connect` waits and reports.
    if (!isStarted()) return error;
    const failure = databaseFailure(error, callLimit() ?? limitMs);
    if (failure instanceof DatabaseOutageError) reachability.reportFailure(failure);
    return failure;
  };

  class GuardedClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      const superQuery = super.query.bind(this) as Query;
      const guarded: Query = (query, values, callback) => {
        if (typeof query !== 'string' || typeof values === 'function' || callback !== undefined)
          return superQuery(query, values, callback);
        const asked = { text: query, query_timeout: callLimit() ?? limitMs };
        return (superQuery(asked, values) as Promise<unknown>).catch((error: unknown) => {
          // Later data on this connection belongs to an abandoned query.
          if (errorMessage(error) === QUERY_TIMEOUT) destroyConnection(this);
          throw classified(error);
        });
      };
      this.query = guarded as pg.Client['query'];
    }
  }

  class GuardedPool extends pg.Pool {
    constructor(options: pg.PoolConfig) {
      super({ ...options, Client: GuardedClient });
      const superConnect = super.connect.bind(this) as () => Promise<pg.PoolClient>;
      const guarded = async (): Promise<pg.PoolClient> => {
        reachability.assertUp();
        return await superConnect().catch((error: unknown) => {
          throw classified(error);
        });
      };
      this.connect = ((callback?: ConnectCallback) => {
        if (callback === undefined) return guarded();
        guarded().then(
          (client) => callback(undefined, client, (error) => client.release(error)),
          (error: unknown) => callback(error as Error, undefined, () => undefined),
        );
        return undefined;
      }) as pg.Pool['connect'];
    }
  }

  return { reachability, driver: { ...pg, Pool: GuardedPool, Client: GuardedClient } };
}
