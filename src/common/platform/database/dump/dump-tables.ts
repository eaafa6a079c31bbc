import type { Client } from 'pg';
import { listMigrations, listSequences, listTables, type DumpedTable } from './table-catalogue';
import { TEXT_FORMS } from './text-forms';

export interface Snapshot {
  readonly migrations: readonly string[];
  readonly tables: readonly DumpedTable[];
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
  /** A line for each row: a JSON array of the texts of its columns. */
  rows(table: DumpedTable): AsyncGenerator<string>;
  readonly query: <Row extends object>(sql: string) => Promise<Row[]>;
}

/** Rows may hold megabytes, so few are read at once. */
const ROWS_AT_ONCE = 200;

/** Reads a database as it is at one moment, while others write to it. Undefined if it has no tables of ours. */
export async function inSnapshot<T>(client: Client, work: (snapshot: Snapshot) => Promise<T>): Promise<T | undefined> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query(TEXT_FORMS);
    const migrations = await listMigrations(client);
    if (migrations === undefined) return undefined;
    return await work({
      migrations,
      tables: (await listTables(client)).map(({ name, columns }) => ({ name, columns })),
      sequences: await listSequences(client),
      rows: (table) => rowsOf(client, table),
      query: async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows,
    });
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
  }
}

async function* rowsOf(client: Client, { name, columns }: DumpedTable): AsyncGenerator<string> {
  const texts = columns.map((column) => `${client.escapeIdentifier(column)}::text`).join(', ');
  await client.query(
    `DECLARE dumped NO SCROLL CURSOR FOR SELECT json_build_array(${texts})::text AS line FROM ${client.escapeIdentifier(name)}`,
  );
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`FETCH ${ROWS_AT_ONCE} FROM dumped`);
    for (const { line } of rows) yield line;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await client.query('CLOSE dumped');
}
