import type { Client } from 'pg';
import { StartError } from '../../config/start-error';
import { listForeignKeys, listTables, type CatalogueTable, type DumpedTable } from './table-catalogue';
import { TEXT_FORMS } from './text-forms';

export interface Dump {
  readonly tables: readonly DumpedTable[];
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
  lines(table: DumpedTable): AsyncIterable<string>;
}

const ROWS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 4_000_000;

/** Writes a dump into the empty tables of the same schema in one transaction: all of it or nothing. Returns the number of rows. */
export async function loadTables(client: Client, dump: Dump): Promise<number> {
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0');
    await client.query(TEXT_FORMS);
    const types = typesOf(await listTables(client), dump.tables);
    // Rows of a table may refer to each other and to later tables, so references are checked when all are there.
    const keys = await listForeignKeys(client);
    const name = (text: string): string => client.escapeIdentifier(text);
    for (const key of keys) await client.query(`ALTER TABLE ${name(key.table)} DROP CONSTRAINT ${name(key.name)}`);
    let rows = 0;
    for (const table of dump.tables) {
      // The effects of inserting these rows are in the dump already.
      await client.query(`ALTER TABLE ${name(table.name)} DISABLE TRIGGER USER`);
      // Rows that migrations wrote are in the dump in their current state.
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

/** The types of the dumped columns in this database, by table. They are not taken from the dump, whose text is no SQL of ours. */
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
  // Identity columns have values of their own in the dump.
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
    if (waiting.length >= ROWS_AT_ONCE || characters >= CHARACTERS_AT_ONCE) await write();
  }
  await write();
  return rows;
}
