import type { EntityManager } from 'typeorm';
import { Sealer } from '../config/sealer';
import { StartError } from '../config/configuration-error';

/** A column of texts sealed with the secret key; each text is bound to the id of its row. */
export interface SealedColumn {
  readonly table: string;
  readonly id: string;
  readonly sealed: string;
  /** The column with the id of the sealing key, if the table has one. */
  readonly keyId?: string;
  readonly purpose: string;
}

export interface SecretKeys {
  /** The keys with which existing texts may have been sealed. */
  readonly known: readonly Uint8Array[];
  readonly next: Uint8Array;
}

interface Row {
  readonly id: string;
  readonly sealed: Buffer;
}

const PAGE = 500;

export class UnopenedSecretError extends StartError {
  constructor({ table }: SealedColumn, id: string) {
    super(`The secret of ${table} ${id} cannot be opened with either key. Nothing was changed. Check OLD_SECRET_KEY.`);
  }
}

/**
 * Runs in a transaction and blocks writers of these secrets. Returns the number of texts that were resealed; texts already sealed with the new key
 * are skipped.
 */
export async function resealColumn(manager: EntityManager, column: SealedColumn, keys: SecretKeys): Promise<number> {
  const { table, id, sealed } = column;
  const next = new Sealer(keys.next, column.purpose);
  const known = keys.known.map((key) => new Sealer(key, column.purpose));
  await manager.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
  let count = 0;
  for (let after = ''; ;) {
    const rows = await manager.query<Row[]>(
      `SELECT ${id}::text AS id, ${sealed} AS sealed FROM ${table} WHERE ${id}::text > $1 ORDER BY ${id}::text LIMIT ${PAGE}`,
      [after],
    );
    for (const row of rows) {
      if (next.open(row.sealed, row.id) !== undefined) continue;
      await write(
        manager,
        column,
        { id: row.id, sealed: next.seal(openWithAny(known, column, row), row.id) },
        next.keyId,
      );
      count += 1;
    }
    if (rows.length < PAGE) return count;
    after = rows.at(-1)!.id;
  }
}

function openWithAny(sealers: readonly Sealer[], column: SealedColumn, { id, sealed }: Row): string {
  for (const sealer of sealers) {
    const text = sealer.open(sealed, id);
    if (text !== undefined) return text;
  }
  throw new UnopenedSecretError(column, id);
}

async function write(manager: EntityManager, column: SealedColumn, row: Row, keyId: string): Promise<void> {
  const named = column.keyId === undefined ? '' : `, ${column.keyId} = $3`;
  await manager.query(`UPDATE ${column.table} SET ${column.sealed} = $2${named} WHERE ${column.id} = $1`, [
    row.id,
    row.sealed,
    ...(column.keyId === undefined ? [] : [keyId]),
  ]);
}
