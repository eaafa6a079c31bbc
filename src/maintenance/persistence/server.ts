import type { Client } from 'pg';

export interface ServerFacts {
  /** As server_version_num has it. */
  readonly version: number;
  readonly mayCreate: boolean;
  readonly isStandby: boolean;
  readonly maxConnections: number;
  readonly used: number;
  readonly nowMs: number;
}

export async function readServer(client: Client): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `SELECT current_setting('server_version_num')::int AS version,
       has_schema_privilege('public', 'CREATE') AS "mayCreate",
       pg_is_in_recovery() AS "isStandby",
       current_setting('max_connections')::int AS "maxConnections",
       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
       (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs"`,
  );
  return rows[0]!;
}
