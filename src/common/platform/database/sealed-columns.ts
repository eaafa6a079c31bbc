import type { EntityManager } from 'typeorm';
import { Sealer } from '../config/sealer';
import { StartError } from '../config/start-error';

/** Where a table keeps texts that the secret key seals, each for the row that its id names. */
export interface SealedColumn {
  readonly table: string;
  readonly id: string;
  readonly sealed: string;
  /** Which secret key sealed it, where the table says so. */
  readonly keyId?: string;
  readonly purpose: string;
}

export interface SecretKeys {
  /** Any of these may have sealed what there is. */
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
    super(`The secret of ${table} ${id} opens with neither key: nothing was changed. Is OLD_SECRET_KEY right?`);
  }
}

/** Within a transaction: whoever would write such a secret waits. Says how many were sealed anew; those that were already stay. */
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
      await write(manager, column, { id: row.id, sealed: next.seal(openWith(known, column, row), row.id) }, next.keyId);
      count += 1;
    }
    if (rows.length < PAGE) return count;
    after = rows.at(-1)!.id;
  }
}

function openWith(sealers: readonly Sealer[], column: SealedColumn, { id, sealed }: Row): string {
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
