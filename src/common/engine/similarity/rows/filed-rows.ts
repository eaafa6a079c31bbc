import { sharedInt32, sharedRange, sharedUint8 } from '../../arithmetic/shared-arrays';
import type { ThreadPool } from '../threads/thread-pool';
import type { VectorTable } from '../vectors/vector-table';
import { readAhead } from './load-rows';
import { writeFully, type ScratchFiles } from './scratch-files';

const UNIT = 2048;

/** Rows in a table; valid until other rows are loaded. */
export interface LoadedRows {
  readonly table: VectorTable;
  /** The place of each row in the table, -1 for rows that are not loaded. */
  readonly place: Int32Array;
  /** The number of rows in the table. */
  readonly count: number;
}

/** All rows of a table, at their numbers. */
export const everyRowOf = (table: VectorTable, count: number): LoadedRows => ({
  table,
  place: sharedRange(count),
  count,
});

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Yields consecutive ranges of at most `most` rows. */
export function* rangesOf(count: number, most: number): Generator<Range> {
  for (let from = 0; from < count; from += most) yield { from, to: Math.min(count, from + most) };
}

/** The memory for loaded rows, shared by all files that are read one after the other. */
export interface Workspace {
  readonly table: VectorTable;
  /** The number of rows in the table. */
  readonly room: number;
  readonly pool: ThreadPool;
  /** The rows in the table, as they were read. */
  loaded?: LoadedRows | undefined;
}

export interface FiledVectors {
  readonly count: number;
  /** The descriptor of a file of rows, each padded to the stride of the table. */
  readonly vectors: number;
  /** The position of each row in the file; undefined if the rows are in the order of their numbers. */
  readonly position?: Int32Array;
  /** The descriptor of a file for changed rows. */
  readonly sums?: number;
  /** Called before rows are read, if the file may lack some of them. */
  readonly fetch?: (rows: Int32Array | Range) => Promise<void>;
  /** Removes the files. */
  readonly discard?: () => void;
}

/** Vectors by number, in a file. A limited number of them is in memory at a time; if all have room, they are read once. */
export class FiledRows {
  private readonly place: Int32Array;
  private readonly isSum: Uint8Array | undefined;
  private latest: Int32Array | Range = { from: 0, to: 0 };
  private all: LoadedRows | undefined;

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

  get dimension(): number {
    return this.workspace.table.dimension;
  }

  /** The number of rows that can be loaded at once. */
  get room(): number {
    return this.workspace.room;
  }

  /** Whether all rows are loaded at once. */
  get holdsAll(): boolean {
    return this.room >= this.count && this.filed.fetch === undefined;
  }

  private get rowBytes(): number {
    return this.workspace.table.stride * Float32Array.BYTES_PER_ELEMENT;
  }

  /** `rows` must be ascending. */
  load(rows: Int32Array): Promise<LoadedRows> {
    return this.holdsAll ? this.loadAll() : this.read(rows, rows.length, (at) => rows[at]!);
  }

  /** If not all rows are loaded, row `from` is the first in the table. */
  loadRange(from: number, to: number): Promise<LoadedRows> {
    return this.holdsAll ? this.loadAll() : this.read({ from, to }, to - from, (at) => from + at);
  }

  /** Reads rows that will be loaded next, so that the operating system caches them. Never rejects. */
  async expect({ from, to }: Range): Promise<void> {
    const { vectors, position, fetch } = this.filed;
    if (to <= from || fetch !== undefined || this.holdsAll) return;
    const places = placesOf(to - from, () => true);
    const { positions } = sortedByPosition(places, (at) => position?.[from + at] ?? from + at);
    const { pool } = this.workspace;
    await readAhead({ file: vectors, positions, rowBytes: this.rowBytes }, () => !pool.isStopped);
  }

  /** Stores the current values of loaded rows, which must be ascending. */
  keep(rows: Int32Array): void {
    const { rowBytes } = this;
    const bytes = new Uint8Array(this.workspace.table.floats.buffer);
    for (let at = 0; at < rows.length;) {
      const [row, place] = [rows[at]!, this.place[rows[at]!]!];
      let length = 1;
      while (rows[at + length] === row + length && this.place[row + length] === place + length) length += 1;
      writeFully(this.filed.sums!, bytes.subarray(place * rowBytes, (place + length) * rowBytes), row * rowBytes);
      this.isSum!.fill(1, row, row + length);
      at += length;
    }
  }

  /** Discards changed values: rows are read as they were written. */
  restore(): void {
    this.isSum?.fill(0);
    this.workspace.loaded = undefined;
  }

  discard(): void {
    this.filed.discard?.();
  }

  private async loadAll(): Promise<LoadedRows> {
    if (this.all === undefined || this.workspace.loaded !== this.all)
      this.all = await this.read({ from: 0, to: this.count }, this.count, (at) => at);
    return this.all;
  }

  private async read(rows: Int32Array | Range, count: number, rowAt: (at: number) => number): Promise<LoadedRows> {
    this.forget();
    this.workspace.loaded = undefined;
    for (let at = 0; at < count; at++) this.place[rowAt(at)] = at;
    this.latest = rows;
    const { table } = this.workspace;
    const { vectors, sums, position, fetch } = this.filed;
    await fetch?.(rows);
    const isSum = (at: number): boolean => this.isSum?.[rowAt(at)] === 1;
    await this.readFrom(
      vectors,
      placesOf(count, (at) => !isSum(at)),
      (at) => position?.[rowAt(at)] ?? rowAt(at),
    );
    if (sums !== undefined) await this.readFrom(sums, placesOf(count, isSum), rowAt);
    return (this.workspace.loaded = { table, place: this.place, count });
  }

  private async readFrom(file: number, places: Int32Array, positionAt: (at: number) => number): Promise<void> {
    if (places.length === 0) return;
    const { table, pool } = this.workspace;
    const sorted = sortedByPosition(places, positionAt);
    await pool.run({ kind: 'loadRows', table: table.handle, file, ...sorted }, places.length, UNIT);
  }

  private forget(): void {
    const { latest, place } = this;
    if ('from' in latest) place.fill(-1, latest.from, latest.to);
    else for (const row of latest) place[row] = -1;
  }
}

function placesOf(count: number, isOne: (at: number) => boolean): Int32Array {
  const places = sharedInt32(count);
  let filled = 0;
  for (let at = 0; at < count; at++) if (isOne(at)) places[filled++] = at;
  return places.subarray(0, filled);
}

interface SortedByPosition {
  readonly positions: Int32Array;
  readonly places: Int32Array;
}

function sortedByPosition(places: Int32Array, positionAt: (place: number) => number): SortedByPosition {
  const positions = sharedInt32(places.length);
  let ascends = true;
  for (let at = 0; at < places.length; at++) {
    positions[at] = positionAt(places[at]!);
    if (at > 0 && positions[at]! < positions[at - 1]!) ascends = false;
  }
  if (ascends) return { positions, places };
  // Position and place are combined into one number, because sorting a typed array is fastest.
  const keys = Float64Array.from(positions, (position, at) => position * places.length + at).sort();
  const sorted = { positions: sharedInt32(keys.length), places: sharedInt32(keys.length) };
  keys.forEach((key, at) => {
    const position = Math.floor(key / places.length);
    sorted.positions[at] = position;
    sorted.places[at] = places[key - position * places.length]!;
  });
  return sorted;
}

/** Rows in the scratch file `name`, with a second file for their sums. */
export function filedWithSums(
  scratch: ScratchFiles,
  name: string,
  { vectors, position }: Pick<FiledVectors, 'vectors' | 'position'>,
  former: FiledRows,
): FiledRows {
  const sums = scratch.create(`${name}-sums`);
  const discard = (): void => {
    scratch.remove(name);
    scratch.remove(`${name}-sums`);
  };
  return new FiledRows(
    { count: former.count, vectors, ...(position && { position }), sums, discard },
    former.workspace,
  );
}

/** Prefetches the rows that will be loaded next while `work` runs. Returns after both have ended, even if the work fails. */
export async function readingAhead(store: FiledRows, next: Range | undefined, work: Promise<void>): Promise<void> {
  const ahead = next && store.expect(next);
  try {
    await work;
  } finally {
    await ahead;
  }
}
