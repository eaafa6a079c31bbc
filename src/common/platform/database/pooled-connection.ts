import type { Client, PoolClient } from 'pg';

/** The pid that Postgres sent for query cancellation. A pooler invents one, because its clients have no process of their own. */
const announcedPid = (client: Client | PoolClient): number =>
  (client as unknown as { processID: number | null }).processID ?? 0;

export interface SessionLimits {
  readonly statementTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
}

/**
 * Initialises a connection by queries, because poolers reject startup parameters. The limits are set only without a pooler: there they
 * would stay on a connection that is later given to other clients. Poolers do track the time zone.
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
