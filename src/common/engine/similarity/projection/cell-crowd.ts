import { sharedInt32 } from '../../arithmetic/shared-arrays';
import { NamedRows } from '../rows/named-rows';
import type { FiledRows } from '../rows/filed-rows';
import type { TopLists } from '../vectors/top-lists';
import { VectorTable } from '../vectors/vector-table';
import type { Crowd } from './crowd';

/** The number of nearest cells whose rows push a row away. */
const PROBES = 3;
/** The number of members that the mean of a cell is computed from. */
const MOST_MEMBERS = 32;

/** Groups rows by their nearest cell. */
export function crowdOf({ keys, length }: TopLists, count: number): Crowd {
  const probes = Math.min(PROBES, length);
  const cells = sharedInt32(count * probes);
  let cellCount = 0;
  for (let row = 0; row < count; row++) {
    for (let at = 0; at < probes; at++) {
      // A row may have fewer cells than were requested.
      const cell = keys[row * length + at]!;
      cells[row * probes + at] = cell === -1 ? keys[row * length]! : cell;
      if (cell >= cellCount) cellCount = cell + 1;
    }
  }
  const start = sharedInt32(cellCount + 1);
  for (let row = 0; row < count; row++) start[cells[row * probes]! + 1]! += 1;
  for (let cell = 0; cell < cellCount; cell++) start[cell + 1]! += start[cell]!;
  const next = start.slice();
  const members = sharedInt32(count);
  for (let row = 0; row < count; row++) members[next[cells[row * probes]!]!++] = row;
  return { cells, probes, members, start };
}

/** Unit vectors; a zero vector for a cell without members. */
export async function meansOf(store: FiledRows, crowd: Crowd): Promise<VectorTable> {
  const cellCount = crowd.start.length - 1;
  const means = VectorTable.allocate(cellCount, store.dimension);
  const batches = new NamedRows(store).batches({ from: 0, to: cellCount }, (cell, name) => {
    forSome(crowd, cell, name);
  });
  for await (const { from, to, loaded } of batches) {
    for (let cell = from; cell < to; cell++) {
      const mean = means.row(cell);
      forSome(crowd, cell, (row) => {
        const vector = loaded.table.row(loaded.place[row]!);
        for (let k = 0; k < mean.length; k++) mean[k]! += vector[k]!;
      });
      const length = Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0));
      if (length > 0) for (let k = 0; k < mean.length; k++) mean[k]! /= length;
    }
  }
  return means;
}

/** Calls `use` for the members that represent the cell. */
function forSome({ members, start }: Crowd, cell: number, use: (row: number) => void): void {
  const size = start[cell + 1]! - start[cell]!;
  const taken = Math.min(size, MOST_MEMBERS);
  for (let i = 0; i < taken; i++) use(members[start[cell]! + Math.floor((i * size) / taken)]!);
}
