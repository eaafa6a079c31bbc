import type { Client } from 'pg';

/** Before a job starts, and before it registers a new table. */
const GATES = { start: 7001, table: 7002 } as const;
type Gate = keyof typeof GATES;

/** Blocks the jobs of a running service, but not its responses, by locks in its database. */
export class WorkGates {
  private constructor(private readonly sql: Client) {}

  static async build(sql: Client): Promise<WorkGates> {
    await sql.query(`
      CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM pg_advisory_xact_lock_shared(TG_ARGV[0]::bigint); RETURN NEW; END';
      CREATE TRIGGER gate BEFORE UPDATE ON job_run FOR EACH ROW
        WHEN (OLD.state = 'queued' AND NEW.state = 'running') EXECUTE FUNCTION wait_at_gate('${GATES.start}');
      CREATE TRIGGER gate BEFORE INSERT ON generation FOR EACH ROW EXECUTE FUNCTION wait_at_gate('${GATES.table}')`);
    return new WorkGates(sql);
  }

  async close(): Promise<void> {
    for (const gate of Object.values(GATES)) await this.sql.query('SELECT pg_advisory_lock($1)', [gate]);
  }

  async open(gate: Gate): Promise<void> {
    await this.sql.query('SELECT pg_advisory_unlock($1)', [GATES[gate]]);
  }

  async openAll(): Promise<void> {
    await this.sql.query('SELECT pg_advisory_unlock_all()');
  }

  async isWaitedAt(gate: Gate): Promise<boolean> {
    const { rowCount } = await this.sql.query(
      "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted",
      [GATES[gate]],
    );
    return rowCount !== 0;
  }
}
