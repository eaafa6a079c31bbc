import { Injectable } from '@nestjs/common';
import type { Pool, Client, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

interface SessionLimits {
  readonly statementTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
}

export interface PoolConnections {
  readonly used: number;
  readonly idle: number;
  /** The number of callers that wait for a connection. */
  readonly waiting: number;
  readonly most: number;
}

/** The connections of this process, and the disk usage of Postgres. */
@Injectable()
export class PoolUsage {
  constructor(private readonly dataSource: DataSource) {}

  connections(): PoolConnections {
    const { totalCount, idleCount, waitingCount, options } = (this.dataSource.driver as PostgresDriver).master as Pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, most: options.max };
  }

  async databaseBytes(): Promise<number> {
    const [row] = await this.dataSource.query<{ bytes: string }[]>(
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    return Number(row!.bytes);
  }
}

/** The process id that Postgres sent for query cancellation. A pooler invents one, because its clients have no server process of their own. */
const announcedPid = (client: Client | PoolClient): number =>
  (client as unknown as { processID: number | null }).processID ?? 0;

/**
 * Initialises a connection by queries, because poolers reject startup parameters. The limits are only set without a pooler: with one they would stay
 * on a connection that is later given to other clients. Poolers do track the time zone.
 */
export async function beginSession(client: PoolClient, limits: SessionLimits): Promise<void> {
  await client.query(
    `SELECT set_config('TimeZone', 'UTC', false),
       CASE WHEN pg_backend_pid() = $1 THEN set_config('statement_timeout', $2, false) END,
       CASE WHEN pg_backend_pid() = $1 THEN set_config('idle_in_transaction_session_timeout', $3, false) END`,
    [announcedPid(client), String(limits.statementTimeoutMs), String(limits.idleInTransactionTimeoutMs)],
  );
}

/** Whether the connection goes through a pooler. */
export async function isPooled(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid !== announcedPid(client);
}
