import type { Client } from 'pg';

/** A table as a dump describes it. */
export interface DumpedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface CatalogueTable extends DumpedTable {
  readonly types: readonly string[];
}

export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

export const MIGRATIONS_TABLE = 'schema_migration';

/** All tables but the list of migrations, which a restored schema has already. Generated columns are left out: Postgres computes them. */
export async function listTables(client: Client): Promise<CatalogueTable[]> {
  const { rows } = await client.query<CatalogueTable>(
    `SELECT c.relname AS name,
       array_agg(a.attname::text ORDER BY a.attnum) AS columns,
       array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum) AS types
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> $1
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [MIGRATIONS_TABLE],
  );
  return rows;
}

export async function listForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT c.relname AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  );
  return rows;
}

/** The last value of each sequence that was used, as text, for they may exceed what a number holds. */
export async function listSequences(client: Client): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`,
  );
  return rows;
}

/** The names of the migrations that have run; undefined in an empty database. */
export async function listMigrations(client: Client): Promise<string[] | undefined> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    MIGRATIONS_TABLE,
  ]);
  if (rows[0]?.found !== true) return undefined;
  const names = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`);
  return names.rows.map(({ name }) => name);
}
