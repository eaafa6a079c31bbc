import type { RefineJob, SettleJob } from './pool-job';
import { offer, type TopLists } from './top-lists';
import type { VectorTable } from './vector-table';

/** The exact cosine, in the precision of the results; never rounded above 1. */
function cosineOf(table: VectorTable, first: number, second: number): number {
  return Math.max(-1, Math.min(1, table.dot(first, second)));
}

export function settleNeighbours(
  { shortlists, neighbours }: SettleJob,
  table: VectorTable,
  from: number,
  to: number,
): void {
  const { keys, length } = shortlists;
  for (let row = from; row < to; row++) {
    for (let at = row * length; at < (row + 1) * length && keys[at] !== -1; at++) {
      offer(neighbours, row, keys[at]!, cosineOf(table, row, keys[at]!));
    }
  }
}

/** Candidates in a cell that the row has already scanned are skipped. */
export function refineNeighbours(
  { cells, before, after }: RefineJob,
  table: VectorTable,
  seen: Int32Array,
  from: number,
  to: number,
): void {
  const { keys, length } = before;
  for (let row = from; row < to; row++) {
    const first = row * length;
    seen[row] = row;
    for (let at = first; at < first + length && keys[at] !== -1; at++) {
      seen[keys[at]!] = row;
      offer(after, row, keys[at]!, before.scores[at]!);
    }
    for (let near = first; near < first + length && keys[near] !== -1; near++) {
      const beyond = keys[near]! * length;
      for (let at = beyond; at < beyond + length && keys[at] !== -1; at++) {
        const candidate = keys[at]!;
        if (seen[candidate] === row) continue;
        seen[candidate] = row;
        if (probed(cells, row, candidate)) continue;
        offer(after, row, candidate, cosineOf(table, row, candidate));
      }
    }
  }
}

function probed({ keys, length }: TopLists, row: number, candidate: number): boolean {
  const cell = keys[candidate * length]!;
  for (let at = row * length; at < (row + 1) * length; at++) if (keys[at] === cell) return true;
  return false;
}
