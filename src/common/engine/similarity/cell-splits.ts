import type { TopLists } from './top-lists';
import type { VectorTable } from './vector-table';

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

/**
 * Splits cells that are too large: in `cells`, an entry for such a cell is replaced by the slice of the vector. Near duplicates are close
 * on any line, so they mostly share a slice. Returns the new number of cells.
 */
export function splitLargeCells(
  table: VectorTable,
  { keys, length }: TopLists,
  count: number,
  cellCount: number,
): number {
  const sizes = new Int32Array(cellCount);
  for (let row = 0; row < count; row++) sizes[keys[row * length]!]! += 1;
  const large = new Map<number, number[]>();
  sizes.forEach((size, cell) => {
    if (size > MAX_CELL) large.set(cell, []);
  });
  if (large.size === 0) return cellCount;
  for (let row = 0; row < count; row++) large.get(keys[row * length]!)?.push(row);
  const sliced = new Map<number, SlicedCell>();
  let cells = cellCount;
  for (const [cell, members] of large) {
    const cut = sliceCell(table, members, cells);
    sliced.set(cell, cut);
    cells += cut.rows.length + 1;
  }
  for (let row = 0; row < count; row++) {
    const home = sliced.get(keys[row * length]!);
    for (let at = row * length; at < (row + 1) * length; at++) {
      const cell = sliced.get(keys[at]!);
      if (cell !== undefined) keys[at] = cell.firstSlice + sliceOf(table, cell, row);
    }
    if (home !== undefined) probeAdjacent(keys.subarray(row * length, (row + 1) * length), home);
  }
  return cells;
}

function sliceCell(table: VectorTable, members: readonly number[], firstSlice: number): SlicedCell {
  const one = members[0]!;
  const nearness = new Map(members.map((row) => [row, table.dot(one, row)]));
  const other = members.reduce((farthest, row) => (nearness.get(row)! < nearness.get(farthest)! ? row : farthest), one);
  const position = new Map(members.map((row) => [row, Math.fround(nearness.get(row)! - table.dot(other, row))]));
  const ordered = [...members].sort((a, b) => position.get(a)! - position.get(b)! || a - b);
  const slices = Math.ceil(members.length / SLICE);
  const firsts = Array.from(
    { length: slices - 1 },
    (_, at) => ordered[Math.floor(((at + 1) * members.length) / slices)]!,
  );
  return {
    one,
    other,
    positions: Float32Array.from(firsts, (row) => position.get(row)!),
    rows: Int32Array.from(firsts),
    firstSlice,
  };
}

/** Slices next to a vector's own replace its farthest cells; otherwise a dense group would fall apart. */
function probeAdjacent(cells: Int32Array, { firstSlice, rows }: SlicedCell): void {
  const own = cells[0]!;
  let last = cells.length - 1;
  for (const beside of [own + 1, own - 1]) {
    if (beside >= firstSlice && beside <= firstSlice + rows.length && last > 0) cells[last--] = beside;
  }
}

function sliceOf(table: VectorTable, { one, other, positions, rows }: SlicedCell, row: number): number {
  const position = Math.fround(table.dot(one, row) - table.dot(other, row));
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
