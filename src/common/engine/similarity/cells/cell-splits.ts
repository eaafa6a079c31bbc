import { rangesOf, type FiledRows, type LoadedRows } from '../rows/filed-rows';
import type { TopLists } from '../vectors/top-lists';

/** Many nearly identical vectors share a cell that no mean divides; scanning it against itself would be quadratic. */
const MAX_CELL = 8192;
const SLICE = 4096;

/** A cell split into slices along the line between two of its members; ties are broken by row. */
interface SlicedCell {
  readonly one: number;
  readonly other: number;
  readonly positions: Float32Array;
  readonly rows: Int32Array;
  readonly firstSlice: number;
}

/** The members of a large cell, ascending. */
interface LargeCell {
  readonly members: Int32Array;
  /** The cosine of each to the first. */
  readonly nearness: Float32Array;
  /** The member farthest from the first. */
  other: number;
}

export interface SplitCells {
  readonly cellCount: number;
  /** The first slice of each cell that was split. */
  readonly firstSliceOf: ReadonlyMap<number, number>;
}

/**
 * Splits cells that are too large: in `cells`, an entry for such a cell is replaced by the slice of the vector. Near duplicates are close on any
 * line, so they mostly share a slice.
 */
export async function splitLargeCells(store: FiledRows, cells: TopLists, cellCount: number): Promise<SplitCells> {
  const large = largeCells(cells, store.count, cellCount);
  if (large.size === 0) return { cellCount, firstSliceOf: new Map() };
  const sliced = new Map<number, SlicedCell>();
  let count = cellCount;
  for (const [cell, of] of large) {
    await measureNearness(store, of);
    const cut = await sliceCell(store, of, count);
    sliced.set(cell, cut);
    count += cut.rows.length + 1;
  }
  await assignSlices(store, cells, sliced);
  return { cellCount: count, firstSliceOf: new Map([...sliced].map(([cell, { firstSlice }]) => [cell, firstSlice])) };
}

function largeCells({ keys, length }: TopLists, count: number, cellCount: number): Map<number, LargeCell> {
  const sizes = new Int32Array(cellCount);
  for (let row = 0; row < count; row++) sizes[keys[row * length]!]! += 1;
  const large = new Map<number, LargeCell>();
  sizes.forEach((size, cell) => {
    if (size > MAX_CELL)
      large.set(cell, { members: new Int32Array(size), nearness: new Float32Array(size), other: -1 });
  });
  const filled = new Int32Array(large.size === 0 ? 0 : cellCount);
  for (let row = 0; row < count && large.size > 0; row++) {
    const cell = keys[row * length]!;
    const members = large.get(cell)?.members;
    if (members !== undefined) members[filled[cell]!++] = row;
  }
  return large;
}

/** Visits `rows` (ascending), loading `ends` into the same table. */
async function visit(
  store: FiledRows,
  rows: Int32Array,
  ends: readonly number[],
  each: (loaded: LoadedRows, at: number) => void,
): Promise<void> {
  for (const { from, to } of rangesOf(rows.length, store.room - ends.length)) {
    const named = new Set([...ends]);
    for (const row of rows.subarray(from, to)) named.delete(row);
    const needed = new Int32Array(to - from + named.size);
    needed.set(rows.subarray(from, to));
    needed.set([...named], to - from);
    const loaded = await store.load(needed.sort());
    for (let at = from; at < to; at++) each(loaded, at);
  }
}

const dot = ({ table, place }: LoadedRows, one: number, other: number): number => table.dot(place[one]!, place[other]!);

async function measureNearness(store: FiledRows, cell: LargeCell): Promise<void> {
  const { members, nearness } = cell;
  const one = members[0]!;
  await visit(store, members, [one], (loaded, at) => (nearness[at] = dot(loaded, one, members[at]!)));
  let farthest = 0;
  for (let at = 1; at < members.length; at++) if (nearness[at]! < nearness[farthest]!) farthest = at;
  cell.other = members[farthest]!;
}

async function sliceCell(
  store: FiledRows,
  { members, nearness, other }: LargeCell,
  firstSlice: number,
): Promise<SlicedCell> {
  const position = new Float32Array(members.length);
  await visit(store, members, [other], (loaded, at) => {
    position[at] = nearness[at]! - dot(loaded, other, members[at]!);
  });
  const ordered = Int32Array.from(members.keys()).sort((a, b) => position[a]! - position[b]! || a - b);
  const slices = Math.ceil(members.length / SLICE);
  const firsts = Int32Array.from(
    { length: slices - 1 },
    (_, at) => ordered[Math.floor(((at + 1) * members.length) / slices)]!,
  );
  return {
    one: members[0]!,
    other,
    positions: Float32Array.from(firsts, (at) => position[at]!),
    rows: firsts.map((at) => members[at]!),
    firstSlice,
  };
}

async function assignSlices(
  store: FiledRows,
  { keys, length }: TopLists,
  sliced: ReadonlyMap<number, SlicedCell>,
): Promise<void> {
  const probing = new Int32Array(store.count);
  let count = 0;
  for (let row = 0; row < store.count; row++) {
    for (let at = row * length; at < (row + 1) * length; at++) {
      if (!sliced.has(keys[at]!)) continue;
      probing[count++] = row;
      break;
    }
  }
  const ends = [...new Set([...sliced.values()].flatMap(({ one, other }) => [one, other]))];
  const rows = probing.subarray(0, count);
  await visit(store, rows, ends, (loaded, i) => {
    const row = rows[i]!;
    const home = sliced.get(keys[row * length]!);
    for (let at = row * length; at < (row + 1) * length; at++) {
      const cell = sliced.get(keys[at]!);
      if (cell !== undefined) keys[at] = cell.firstSlice + sliceOf(loaded, cell, row);
    }
    if (home !== undefined) probeAdjacent(keys.subarray(row * length, (row + 1) * length), home);
  });
}

/** Slices next to a vector's own replace its farthest cells; otherwise a dense group would fall apart. */
function probeAdjacent(cells: Int32Array, { firstSlice, rows }: SlicedCell): void {
  const own = cells[0]!;
  let last = cells.length - 1;
  for (const beside of [own + 1, own - 1]) {
    if (beside >= firstSlice && beside <= firstSlice + rows.length && last > 0) cells[last--] = beside;
  }
}

function sliceOf(loaded: LoadedRows, { one, other, positions, rows }: SlicedCell, row: number): number {
  const position = Math.fround(dot(loaded, one, row) - dot(loaded, other, row));
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const before = position < positions[middle]! || (position === positions[middle] && row < rows[middle]!);
    if (before) high = middle;
    else low = middle + 1;
  }
  return low;
}
