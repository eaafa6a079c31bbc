import { sharedFloat32, sharedInt8, sharedRange } from '../../arithmetic/shared-arrays';
import { blockStarts, homesOf, membersByCell, type CellIndex } from '../cells/cell-index';
import { splitLargeCells, type SplitCells } from '../cells/cell-splits';
import { assignToCells, findMeans, type RangeUse } from '../cells/mean-cells';
import { allocateTopLists, type TopLists } from '../vectors/top-lists';
import type { VectorBlocks } from '../vectors/vector-blocks';
import type { EncodedRows } from './encoded-rows';
import { filedWithSums, type FiledRows, type LoadedRows, type Range } from './filed-rows';
import { RowParts } from './row-parts';
import { writeFully, type ScratchFiles } from './scratch-files';

/** Names of scratch files. */
const NEAR = 'near';
export const BLOCKS = 'blocks';

/** The size of a part of the file, if this many rows fit into memory. */
const PART_ROWS = 32_768;
/** The number of rows whose blocks are built at a time. */
const FILLED_ROWS = 262_144;
/** Fractions of the total progress at the end of each step. */
const MEANS_SHARE = 0.13;
const ASSIGNED_SHARE = 0.85;

type Progress = (fraction: number) => void;

export interface CellOrderedRows {
  readonly store: FiledRows;
  readonly index: CellIndex;
  /** For each row in the new order, its former number. */
  readonly order: Int32Array;
}

/**
 * Assigns rows to cells, renumbers them in the order of the cells, and writes the blocks of the cells to a file. As they are assigned, rows are also
 * written to a second file, those of near cells near each other, so that rows that are used together are read together.
 */
export async function orderByCell(
  store: FiledRows,
  encoded: EncodedRows,
  scratch: ScratchFiles,
  onProgress: Progress,
): Promise<CellOrderedRows> {
  const { count, dimension } = store;
  const { pool } = store.workspace;
  const means = await findMeans(store, encoded, pool, (part) => onProgress(part * MEANS_SHARE));
  const ordered = cellOrder(means, dimension);
  const vectors = scratch.create(NEAR);
  const near = new NearRows(store, ordered, vectors);
  const use: RangeUse = (range, loaded, own) => near.add(range, loaded, own);
  const cells = await assignToCells(store, means, { encoded, pool, use }, (part) =>
    onProgress(MEANS_SHARE + part * (ASSIGNED_SHARE - MEANS_SHARE)),
  );
  const position = near.finish();
  const split = await splitLargeCells(store, cells, ordered.length);
  store.discard();
  renumber(cells, numbersInOrder(ordered, split));
  const { members: order, start } = membersByCell(cells, count, split.cellCount);
  const next = filedWithSums(scratch, NEAR, { vectors, position: order.map((row) => position[row]!) }, store);
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
  await fileBlocks(next, blocks, (part) => onProgress(ASSIGNED_SHARE + part * (1 - ASSIGNED_SHARE)));
  const permuted = inOrder(cells, order);
  return { store: next, index: { cells: permuted, home: homesOf(permuted), blocks, firstBlock }, order };
}

/** Writes rows to a file in parts, each with the rows of consecutive cells. */
class NearRows {
  private readonly rows: RowParts;
  /** The part of each cell. */
  private readonly part: Int32Array;
  private readonly rowBytes: number;

  constructor({ count, room, workspace }: FiledRows, ordered: Int32Array, file: number) {
    this.rowBytes = workspace.table.stride * Float32Array.BYTES_PER_ELEMENT;
    const partRows = Math.min(PART_ROWS, Math.ceil(room / 2));
    this.rows = new RowParts(file, { count, rowBytes: this.rowBytes, partRows });
    this.part = new Int32Array(ordered.length);
    ordered.forEach((cell, at) => (this.part[cell] = Math.floor((at / ordered.length) * this.rows.parts)));
  }

  add({ from, to }: Range, { table }: LoadedRows, { keys, length }: TopLists): void {
    const { rowBytes, part } = this;
    const bytes = new Uint8Array(table.floats.buffer);
    for (let at = 0; at < to - from; at++)
      this.rows.add(part[keys[at * length]!]!, from + at, bytes.subarray(at * rowBytes, (at + 1) * rowBytes));
  }

  /** Returns the position of each row in the file. */
  finish(): Int32Array {
    this.rows.finish();
    return this.rows.position;
  }
}

/** The number of each cell in the new order; slices take the place of the cell that was split. */
function numbersInOrder(ordered: Int32Array, { cellCount, firstSliceOf }: SplitCells): Int32Array {
  const numberOf = new Int32Array(cellCount);
  const starts = [...firstSliceOf.values(), cellCount].sort((a, b) => a - b);
  let next = 0;
  for (const cell of ordered) {
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

function inOrder(lists: TopLists, order: Int32Array): TopLists {
  const { length, keys, scores } = lists;
  const next = allocateTopLists(order.length, length);
  order.forEach((row, at) => {
    next.keys.set(keys.subarray(row * length, (row + 1) * length), at * length);
    next.scores.set(scores.subarray(row * length, (row + 1) * length), at * length);
  });
  return next;
}

async function fileBlocks(store: FiledRows, blocks: VectorBlocks, onProgress: Progress): Promise<void> {
  const { dimension, room, count } = store;
  const { pool } = store.workspace;
  const most = Math.min(FILLED_ROWS, room);
  const columns = sharedInt8(Math.min(most, count) * dimension);
  for (let first = 0, end = 0; first < blocks.start.length - 1; first = end) {
    const from = blocks.start[first]!;
    while (end < blocks.start.length - 1 && blocks.start[end + 1]! - from <= most) end += 1;
    const to = blocks.start[end]!;
    const { table, place } = await store.loadRange(from, to);
    const start = blocks.start.subarray(first, end + 1).map((at) => at - from);
    const scale = blocks.scale.subarray(from, to);
    const own = { ...blocks, members: place.subarray(from, to), start, columns, scale, file: undefined };
    await pool.run({ kind: 'fillBlocks', blocks: own, rows: table.handle }, start.length - 1, 16);
    writeFully(blocks.file!, new Uint8Array(columns.buffer, 0, (to - from) * dimension), from * dimension);
    onProgress(to / count);
  }
}

/** Orders the cells so that near cells mostly follow each other, by repeatedly halving them along the line between two distant ones. */
function cellOrder(means: Float32Array, dimension: number): Int32Array {
  const count = means.length / dimension;
  const order = Int32Array.from({ length: count }, (_, cell) => cell);
  const along = new Float32Array(count);
  const dot = (one: number, other: number): number => {
    let sum = 0;
    for (let k = 0; k < dimension; k++) sum += means[one * dimension + k]! * means[other * dimension + k]!;
    return sum;
  };
  const farthestFrom = (cell: number, cells: Int32Array): number => {
    let [farthest, least] = [cell, Infinity];
    for (const other of cells) {
      const nearness = dot(cell, other);
      if (nearness < least) [farthest, least] = [other, nearness];
    }
    return farthest;
  };
  const waiting: [from: number, to: number][] = [[0, count]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, to] = next;
    if (to - from <= 2) continue;
    const cells = order.subarray(from, to);
    const one = farthestFrom(cells[0]!, cells);
    const other = farthestFrom(one, cells);
    for (const cell of cells) along[cell] = dot(one, cell) - dot(other, cell);
    cells.sort((a, b) => along[a]! - along[b]! || a - b);
    const middle = (from + to) >> 1;
    waiting.push([from, middle], [middle, to]);
  }
  return order;
}
