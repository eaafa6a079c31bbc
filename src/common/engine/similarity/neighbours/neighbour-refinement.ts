import { FewNumbers } from '../vectors/few-numbers';
import type { RefineJob, SettleJob } from '../threads/pool-job';
import { offer, type TopLists } from '../vectors/top-lists';
import type { VectorTable } from '../vectors/vector-table';

/** The exact cosine, in the precision of the results; never rounded above 1. */
function cosineOf(table: VectorTable, first: number, second: number): number {
  return Math.max(-1, Math.min(1, table.dot(first, second)));
}

export function settleNeighbours(
  { shortlists, neighbours, first, place }: SettleJob,
  table: VectorTable,
  from: number,
  to: number,
): void {
  const { keys, length } = shortlists;
  for (let at = from; at < to; at++) {
    const own = place[first + at]!;
    for (let i = at * length; i < (at + 1) * length && keys[i] !== -1; i++) {
      offer(neighbours, at, keys[i]!, cosineOf(table, own, place[keys[i]!]!));
    }
  }
}

/** Keeps the neighbours found so far and offers the candidates. */
export function refineNeighbours(
  { cells, home, before, after, first, place }: RefineJob,
  table: VectorTable,
  from: number,
  to: number,
): void {
  const { keys, scores, length } = before;
  const candidates = new Candidates({ cells, home, before });
  for (let at = from; at < to; at++) {
    const row = first + at;
    for (let i = row * length; i < (row + 1) * length && keys[i] !== -1; i++) offer(after, at, keys[i]!, scores[i]!);
    const own = place[row]!;
    candidates.visit(row, (candidate) => {
      offer(after, at, candidate, cosineOf(table, own, place[candidate]!));
    });
  }
}

/** The neighbours of a row's neighbours, except those in a cell that the row has already scanned. */
export class Candidates {
  private readonly seen = new FewNumbers();

  constructor(private readonly of: Pick<RefineJob, 'cells' | 'home' | 'before'>) {}

  visit(row: number, use: (candidate: number) => void): void {
    const { seen } = this;
    const { cells, home } = this.of;
    const { keys, length } = this.of.before;
    const first = row * length;
    seen.clear();
    seen.add(row);
    for (let at = first; at < first + length && keys[at] !== -1; at++) seen.add(keys[at]!);
    for (let near = first; near < first + length && keys[near] !== -1; near++) {
      const beyond = keys[near]! * length;
      for (let at = beyond; at < beyond + length && keys[at] !== -1; at++) {
        const candidate = keys[at]!;
        if (seen.add(candidate) && !probes(cells, row, home[candidate]!)) use(candidate);
      }
    }
  }
}

function probes({ keys, length }: TopLists, row: number, cell: number): boolean {
  for (let at = row * length; at < (row + 1) * length; at++) if (keys[at] === cell) return true;
  return false;
}
