import type { Client } from 'pg';
import { StartError } from '../config/configuration-error';

/** Settings that make the texts of values exact and the same on every server, so that reading them back gives equal values. */
const TEXT_FORMS = `SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'`;

/** A table in a dump. */
export interface DumpedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

interface CatalogueTable extends DumpedTable {
  readonly types: readonly string[];
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

const MIGRATIONS_TABLE = 'schema_migration';

export interface Snapshot {
  readonly migrations: readonly string[];
  readonly tables: readonly DumpedTable[];
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
  /** Yields a line for each row: a JSON array of the texts of its columns. */
  rows(table: DumpedTable): AsyncGenerator<string>;
  readonly query: <Row extends object>(sql: string) => Promise<Row[]>;
}

/** Rows may be megabytes in size, so few are read at once. */
const ROWS_AT_ONCE = 200;

/** Reads a consistent snapshot of a database while others write to it. Undefined if the database has no tables of this service. */
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

/** All tables except the list of migrations, which the schema of a restored database already has. Omits generated columns, which Postgres computes. */
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

async function listForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT c.relname AS table, k.conname AS name, pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  );
  return rows;
}

/** The last value of each used sequence, as text, because it may exceed the range of a number. */
async function listSequences(client: Client): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`,
  );
  return rows;
}

/** The names of the migrations that have run; undefined for an empty database. */
export async function listMigrations(client: Client): Promise<string[] | undefined> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    MIGRATIONS_TABLE,
  ]);
  if (rows[0]?.found !== true) return undefined;
  const names = await client.query<{ name: string }>(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`);
  return names.rows.map(({ name }) => name);
}

interface Dump {
  readonly tables: readonly DumpedTable[];
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
  lines(table: DumpedTable): AsyncIterable<string>;
}

const ROWS_WRITTEN_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 4_000_000;

/** Writes a dump into the empty tables of the same schema in one transaction. Returns the number of rows. */
export async function loadTables(client: Client, dump: Dump): Promise<number> {
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query(TEXT_FORMS);
    const types = typesOf(await listTables(client), dump.tables);
    // Rows of a table may refer to each other and to later tables, so foreign keys are checked at the end.
    const keys = await listForeignKeys(client);
    const name = (text: string): string => client.escapeIdentifier(text);
    for (const key of keys) await client.query(`ALTER TABLE ${name(key.table)} DROP CONSTRAINT ${name(key.name)}`);
    let rows = 0;
    for (const table of dump.tables) {
      // The dump already contains the effects of the triggers.
      await client.query(`ALTER TABLE ${name(table.name)} DISABLE TRIGGER USER`);
      // The dump contains the current state of the rows that migrations have inserted.
      await client.query(`DELETE FROM ${name(table.name)}`);
      rows += await loadTable(client, table, types.get(table.name)!, dump.lines(table));
      await client.query(`ALTER TABLE ${name(table.name)} ENABLE TRIGGER USER`);
    }
    for (const key of keys)
      await client.query(`ALTER TABLE ${name(key.table)} ADD CONSTRAINT ${name(key.name)} ${key.definition}`);
    for (const { name: sequence, value } of dump.sequences)
      await client.query('SELECT setval($1::regclass, $2)', [name(sequence), value]);
    await client.query('COMMIT');
    return rows;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** The types of the dumped columns in this database, by table. They are not taken from the dump, because its texts are not trusted as SQL. */
function typesOf(here: readonly CatalogueTable[], dumped: readonly DumpedTable[]): Map<string, string[]> {
  const shape = ({ name, columns }: DumpedTable): string => `${name}(${[...columns].sort().join(', ')})`;
  const [mine, theirs] = [here.map(shape), dumped.map(shape)];
  const different = [...mine.filter((one) => !theirs.includes(one)), ...theirs.filter((one) => !mine.includes(one))];
  if (different.length > 0)
    throw new StartError(`The tables of the database are not those of the backup: ${different.join('; ')}.`);
  return new Map(
    dumped.map(({ name, columns }) => {
      const table = here.find((each) => each.name === name)!;
      return [name, columns.map((column) => table.types[table.columns.indexOf(column)]!)];
    }),
  );
}

async function loadTable(
  client: Client,
  table: DumpedTable,
  types: readonly string[],
  lines: AsyncIterable<string>,
): Promise<number> {
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const values = types.map((type, at) => `(line->>${at})::${type}`).join(', ');
  // The dump contains the values of identity columns.
  const insert = `INSERT INTO ${client.escapeIdentifier(table.name)} (${columns}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM json_array_elements($1::json) AS line`;
  let [waiting, characters, rows]: [string[], number, number] = [[], 0, 0];
  const write = async (): Promise<void> => {
    if (waiting.length === 0) return;
    await client.query(insert, [`[${waiting.join(',')}]`]);
    rows += waiting.length;
    [waiting, characters] = [[], 0];
  };
  for await (const line of lines) {
    waiting.push(line);
    characters += line.length;
    if (waiting.length >= ROWS_WRITTEN_AT_ONCE || characters >= CHARACTERS_AT_ONCE) await write();
  }
  await write();
  return rows;
}
