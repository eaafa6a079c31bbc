import { sharedFloat32, sharedInt8, sharedRange } from '../../arithmetic/shared-arrays';
import { blockStarts, homesOf, membersByCell, type CellIndex } from '../cell-index';
import type { SplitCells } from '../cell-splits';
import type { MeanCells } from '../mean-cells';
import { allocateTopLists, type TopLists } from '../top-lists';
import type { VectorBlocks } from '../vector-blocks';
import { cellOrder } from './cell-order';
import { filedWithSums, inTurns, type FiledRows } from './filed-rows';
import { readFully, writeFully, type ScratchFiles } from './scratch-files';

/** Names of scratch files. */
export const ORDERED = 'ordered';
export const BLOCKS = 'blocks';

/** For all buffers of parts together. */
const BUFFER_BYTES = 128 * 2 ** 20;
const MOST_BUFFER_BYTES = 4 * 2 ** 20;

export interface CellOrderedRows {
  readonly store: FiledRows;
  readonly index: CellIndex;
  /** For each row in the new order its former number. */
  readonly order: Int32Array;
}

/**
 * Writes rows to another file in the order of their cells, numbers them in that order, and writes the blocks of the cells to a file. What
 * belongs together then lies together. Rows are divided into parts first, and each part is sorted in memory.
 */
export async function orderByCell(
  store: FiledRows,
  { cells: formerCells, means }: MeanCells,
  split: SplitCells,
  scratch: ScratchFiles,
  onProgress: (fraction: number) => void,
): Promise<CellOrderedRows> {
  const { count, dimension } = store;
  renumber(formerCells, cellsInOrder(means, dimension, split));
  const { members: order, start } = membersByCell(formerCells, count, split.cellCount);
  const rank = new Int32Array(count);
  order.forEach((row, at) => (rank[row] = at));
  const parts = partsOf(start, store.room / 2);
  const ordered = scratch.create(ORDERED);
  await distribute(store, rank, parts, ordered, (part) => onProgress(part / 2));
  store.discard();
  const { start: blockStart, firstBlock } = blockStarts(start);
  const blocks: VectorBlocks = {
    precision: 'byte',
    dimension,
    members: sharedRange(count),
    start: blockStart,
    columns: new Int8Array(0),
    scale: sharedFloat32(count),
    file: scratch.create(BLOCKS),
  };
  await sortParts(store, { order, rank, parts, file: ordered }, blocks, (part) => onProgress((1 + part) / 2));
  const next = filedWithSums(scratch, ORDERED, ordered, store);
  const cells = permuted(formerCells, order);
  return { store: next, index: { cells, home: homesOf(cells), blocks, firstBlock }, order };
}

/** For each cell its number in the order; slices take the place of the cell that was split. */
function cellsInOrder(means: Float32Array, dimension: number, { cellCount, firstSliceOf }: SplitCells): Int32Array {
  const numberOf = new Int32Array(cellCount);
  const starts = [...firstSliceOf.values(), cellCount].sort((a, b) => a - b);
  let next = 0;
  for (const cell of cellOrder(means, dimension)) {
    const first = firstSliceOf.get(cell);
    numberOf[cell] = next++;
    if (first === undefined) continue;
    const end = starts.find((start) => start > first)!;
    for (let slice = first; slice < end; slice++) numberOf[slice] = slice === first ? next - 1 : next++;
  }
  return numberOf;
}

function renumber({ keys }: TopLists, numberOf: Int32Array): void {
  for (let at = 0; at < keys.length; at++) if (keys[at] !== -1) keys[at] = numberOf[keys[at]!]!;
}

function permuted(lists: TopLists, order: Int32Array): TopLists {
  const { length, keys, scores } = lists;
  const next = allocateTopLists(order.length, length);
  order.forEach((row, at) => {
    next.keys.set(keys.subarray(row * length, (row + 1) * length), at * length);
    next.scores.set(scores.subarray(row * length, (row + 1) * length), at * length);
  });
  return next;
}

/** Where parts start: whole cells, of at most `most` rows together. */
function partsOf(start: Int32Array, most: number): Int32Array {
  const parts = [0];
  for (let cell = 1; cell < start.length; cell++) if (start[cell]! - parts.at(-1)! > most) parts.push(start[cell - 1]!);
  if (parts.at(-1) !== start.at(-1)) parts.push(start.at(-1)!);
  return Int32Array.from(parts);
}

/** Rows of a part stay in their former order. */
async function distribute(
  store: FiledRows,
  rank: Int32Array,
  parts: Int32Array,
  file: number,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { table } = store.workspace;
  const rowBytes = table.stride * Float32Array.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(table.floats.buffer);
  const partCount = parts.length - 1;
  const bufferRows = Math.max(1, Math.floor(Math.min(MOST_BUFFER_BYTES, BUFFER_BYTES / partCount) / rowBytes));
  const buffers = Array.from({ length: partCount }, () => new Uint8Array(bufferRows * rowBytes));
  const [written, buffered] = [parts.slice(), new Int32Array(partCount)];
  const flush = (part: number): void => {
    writeFully(file, buffers[part]!.subarray(0, buffered[part]! * rowBytes), written[part]! * rowBytes);
    written[part]! += buffered[part]!;
    buffered[part] = 0;
  };
  for await (const { from, to } of inTurns(store)) {
    for (let row = from; row < to; row++) {
      const part = partAt(parts, rank[row]!);
      const place = row - from;
      buffers[part]!.set(bytes.subarray(place * rowBytes, (place + 1) * rowBytes), buffered[part]! * rowBytes);
      buffered[part]! += 1;
      if (buffered[part] === bufferRows) flush(part);
    }
    onProgress(to / store.count);
  }
  for (let part = 0; part < partCount; part++) flush(part);
}

function partAt(parts: Int32Array, row: number): number {
  let [low, high] = [0, parts.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (parts[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface Parts {
  readonly order: Int32Array;
  readonly rank: Int32Array;
  readonly parts: Int32Array;
  readonly file: number;
}

/** Sorts each part in its place, and writes its blocks. */
async function sortParts(
  store: FiledRows,
  { order, rank, parts, file }: Parts,
  blocks: VectorBlocks,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const { table, pool } = store.workspace;
  const rowBytes = table.stride * Float32Array.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(table.floats.buffer);
  const most = parts.reduce((largest, start, at) => Math.max(largest, start - (parts[at - 1] ?? 0)), 0);
  const raw = new Uint8Array(most * rowBytes);
  const columns = sharedInt8(most * table.dimension);
  for (let part = 0; part + 1 < parts.length; part++) {
    const [from, to] = [parts[part]!, parts[part + 1]!];
    readFully(file, raw.subarray(0, (to - from) * rowBytes), from * rowBytes);
    order
      .slice(from, to)
      .sort()
      .forEach((row, at) => {
        bytes.set(raw.subarray(at * rowBytes, (at + 1) * rowBytes), (rank[row]! - from) * rowBytes);
      });
    writeFully(file, bytes.subarray(0, (to - from) * rowBytes), from * rowBytes);
    const start = blocks.start.filter((at) => at >= from && at <= to).map((at) => at - from);
    const scale = blocks.scale.subarray(from, to);
    const own = { ...blocks, members: sharedRange(to - from), start, columns, scale, file: undefined };
    await pool.run({ kind: 'fillBlocks', blocks: own, rows: table.handle }, start.length - 1, 16);
    writeFully(blocks.file!, new Uint8Array(columns.buffer, 0, (to - from) * table.dimension), from * table.dimension);
    onProgress(to / store.count);
  }
}
