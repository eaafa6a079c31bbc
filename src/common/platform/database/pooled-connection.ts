import type { Client, PoolClient } from 'pg';

/** In the key by which a query may be cancelled; a pooler makes one up, for its clients have no process of their own. */
const toldPid = (client: Client | PoolClient): number =>
  (client as unknown as { processID: number | null }).processID ?? 0;

export interface SessionLimits {
  readonly statementTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
}

/**
 * What each connection begins with. Not as parameters of its startup, which poolers refuse. The limits only where the session is ours alone:
 * behind a pooler they would stay on a connection that others get next. Of the time zone poolers keep track.
 */
export async function beginSession(client: PoolClient, limits: SessionLimits): Promise<void> {
  await client.query(
    `SELECT set_config('TimeZone', 'UTC', false),
       CASE WHEN pg_backend_pid() = $1 THEN set_config('statement_timeout', $2, false) END,
       CASE WHEN pg_backend_pid() = $1 THEN set_config('idle_in_transaction_session_timeout', $3, false) END`,
    [toldPid(client), String(limits.statementTimeoutMs), String(limits.idleInTransactionTimeoutMs)],
  );
}

/** Whether a pooler stands between us and Postgres. */
export async function isPooled(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid !== toldPid(client);
}
