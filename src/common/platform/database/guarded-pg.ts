import { Logger } from '@nestjs/common';
import pg from 'pg';
import { callLimit } from '../outage/call-limit';
import { DatabaseOutageError, DiskFullError, isNetworkCode } from '../outage/outage';
import { Reachability } from '../outage/reachability';
import { errorCode, errorMessage } from '../errors/error-code';

/** What Postgres, or a pooler before it, says while it can't serve: it stops, starts, is full of connections, or is a standby for now. */
const AWAY = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25006']);
const DISK_FULL = '53100';
const TOO_LATE = 'Query read timeout';
/** As the client and its pool say that there is no connection, or none any more. */
const NO_CONNECTION =
  /^(?:Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;
const PROBE_TIMEOUT_MS = 2_500;

type Ask = (query: unknown, values?: unknown, callback?: unknown) => unknown;
type Taken = (error: Error | undefined, client: pg.PoolClient | undefined, release: (error?: Error) => void) => void;

/** The failure as an outage, where it is one. */
export function databaseFailure(error: unknown, limitMs: number): unknown {
  const code = errorCode(error) ?? '';
  const message = errorMessage(error);
  if (code === DISK_FULL) return new DiskFullError('the disk of the database', { cause: error });
  if (message === TOO_LATE) {
    const reason = `The database did not answer within ${limitMs / 1_000} s`;
    return new DatabaseOutageError(reason, code || 'ETIMEDOUT', { cause: error });
  }
  const isAway = AWAY.has(code) || code.startsWith('08') || isNetworkCode(code) || NO_CONNECTION.test(message);
  if (!isAway) return error;
  return new DatabaseOutageError(message || code, code || undefined, { cause: error });
}

const breakOff = (client: pg.Client): void =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();

/** Asks on a connection of its own: those of the pool may hang. */
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
  /** In the place of the module `pg`. */
  readonly driver: object;
}

/** A Postgres client that tells outages from mistakes, gives up a query after a limit, and asks nothing of a database known to be away. */
export function guardedPg(url: string, limitMs: number, isStarted: () => boolean): GuardedPg {
  const reachability = new Reachability('Postgres', () => probe(url), new Logger('Outage'));
  const judged = (error: unknown): unknown => {
    // At the start others say what is wrong, and wait.
    if (!isStarted()) return error;
    const failure = databaseFailure(error, callLimit() ?? limitMs);
    if (failure instanceof DatabaseOutageError) reachability.suspect(failure);
    return failure;
  };

  class GuardedClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      const ask = super.query.bind(this) as Ask;
      const guarded: Ask = (query, values, callback) => {
        if (typeof query !== 'string' || typeof values === 'function' || callback !== undefined)
          return ask(query, values, callback);
        const asked = { text: query, query_timeout: callLimit() ?? limitMs };
        return (ask(asked, values) as Promise<unknown>).catch((error: unknown) => {
          // What comes on this connection from now on belongs to a query that nobody waits for.
          if (errorMessage(error) === TOO_LATE) breakOff(this);
          throw judged(error);
        });
      };
      this.query = guarded as pg.Client['query'];
    }
  }

  class GuardedPool extends pg.Pool {
    constructor(options: pg.PoolConfig) {
      super({ ...options, Client: GuardedClient });
      const take = super.connect.bind(this) as () => Promise<pg.PoolClient>;
      const guarded = async (): Promise<pg.PoolClient> => {
        reachability.assertUp();
        return await take().catch((error: unknown) => {
          throw judged(error);
        });
      };
      this.connect = ((callback?: Taken) => {
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
