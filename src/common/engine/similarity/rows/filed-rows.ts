import { sharedInt32, sharedUint8 } from '../../arithmetic/shared-arrays';
import type { ThreadPool } from '../thread-pool';
import type { VectorTable } from '../vector-table';
import { rangesOf, type LoadedRows, type Range, type SummedRows } from './row-store';
import { writeFully, type ScratchFiles } from './scratch-files';

const UNIT = 2048;

/** Where some rows at a time are in memory; one table for all that are read one after the other. */
export interface Workspace {
  readonly table: VectorTable;
  /** The number of rows in the table. */
  readonly room: number;
  readonly pool: ThreadPool;
}

export interface FiledVectors {
  readonly count: number;
  /** A file of rows, each padded to the stride of the table. */
  readonly vectors: number;
  /** Where each row is in the file; at its number if this is undefined. */
  readonly position?: Int32Array;
  /** A file for what is kept of changed rows. */
  readonly sums?: number;
  /** Called before rows are read, where the file does not have all of them yet. */
  readonly fetch?: (rows: Int32Array | Range) => Promise<void>;
  /** Removes the files. */
  readonly discard?: () => void;
}

/** Rows in a file. */
export class FiledRows implements SummedRows {
  private readonly place: Int32Array;
  private readonly isSum: Uint8Array | undefined;
  private latest: Int32Array | { readonly from: number; readonly to: number } = { from: 0, to: 0 };

  constructor(
    private readonly filed: FiledVectors,
    readonly workspace: Workspace,
  ) {
    this.place = sharedInt32(filed.count).fill(-1);
    this.isSum = filed.sums === undefined ? undefined : sharedUint8(filed.count);
  }

  get count(): number {
    return this.filed.count;
  }

  /** Of the vectors. */
  get file(): number {
    return this.filed.vectors;
  }

  get dimension(): number {
    return this.workspace.table.dimension;
  }

  get room(): number {
    return this.workspace.room;
  }

  async load(rows: Int32Array): Promise<LoadedRows> {
    this.forget();
    for (let at = 0; at < rows.length; at++) this.place[rows[at]!] = at;
    this.latest = rows;
    return this.read(rows, 0, rows.length);
  }

  async loadRange(from: number, to: number): Promise<LoadedRows> {
    this.forget();
    for (let row = from; row < to; row++) this.place[row] = row - from;
    this.latest = { from, to };
    return this.read(undefined, from, to - from);
  }

  keep(rows: Int32Array): void {
    const { table } = this.workspace;
    const rowBytes = table.stride * Float32Array.BYTES_PER_ELEMENT;
    const bytes = new Uint8Array(table.floats.buffer);
    for (let at = 0; at < rows.length;) {
      const [row, place] = [rows[at]!, this.place[rows[at]!]!];
      let length = 1;
      while (rows[at + length] === row + length && this.place[row + length] === place + length) length += 1;
      writeFully(this.filed.sums!, bytes.subarray(place * rowBytes, (place + length) * rowBytes), row * rowBytes);
      this.isSum!.fill(1, row, row + length);
      at += length;
    }
  }

  discard(): void {
    this.filed.discard?.();
  }

  private async read(rows: Int32Array | undefined, first: number, count: number): Promise<LoadedRows> {
    const { table, pool } = this.workspace;
    const { vectors, sums, position, fetch } = this.filed;
    await fetch?.(rows ?? { from: first, to: first + count });
    const from = { vectors, sums, isSum: this.isSum, position };
    await pool.run({ kind: 'loadRows', table: table.handle, rows, first, ...from }, count, UNIT);
    return { table, place: this.place, count };
  }

  private forget(): void {
    const { latest, place } = this;
    if ('from' in latest) place.fill(-1, latest.from, latest.to);
    else for (const row of latest) place[row] = -1;
  }
}

/** Rows in the scratch file `name`, beside which their sums are kept. */
export function filedWithSums(scratch: ScratchFiles, name: string, vectors: number, former: FiledRows): FiledRows {
  const sums = scratch.create(`${name}-sums`);
  const discard = (): void => {
    scratch.remove(name);
    scratch.remove(`${name}-sums`);
  };
  return new FiledRows({ count: former.count, vectors, sums, discard }, former.workspace);
}

/** Goes through all rows in order, as many at a time as there is room for. */
export async function* inTurns(store: FiledRows): AsyncGenerator<{ from: number; to: number; loaded: LoadedRows }> {
  for (const { from, to } of rangesOf(store.count, store.room))
    yield { from, to, loaded: await store.loadRange(from, to) };
}
