import type { CellIndex } from '../cells/cell-index';
import { Candidates } from './neighbour-refinement';
import type { EncodedRows } from '../rows/encoded-rows';
import { NamedRows } from '../rows/named-rows';
import type { FiledRows, Range } from '../rows/filed-rows';
import type { ThreadPool } from '../threads/thread-pool';
import { allocateTopLists, listsOf, type TopLists } from '../vectors/top-lists';

/** The number of candidates whose exact cosine is computed. */
export const SHORTLIST = 24;
/** The number of rows with a shortlist at the same time. A larger window compares more rows with a cell each time it is read. */
export const WINDOW = 2 ** 20;
const UNIT = 1024;
/** The number of rows that a thread takes at a time if the window has enough: with fewer, few rows would be compared with each cell. */
const SHARE = 2 ** 18;

type Progress = (fraction: number) => void;

/** Finds the neighbours of some rows: first in the cells nearest to each, then among the neighbours' neighbours. */
export class NeighbourPasses {
  private readonly named: NamedRows;
  private shortlists: TopLists | undefined;

  constructor(
    private readonly store: FiledRows,
    private readonly encoded: EncodedRows,
    private readonly pool: ThreadPool,
  ) {
    this.named = new NamedRows(store);
  }

  /** Scans the cells nearest to the rows of a range, which must have room in memory. `neighbours` begins with its first row. */
  async scan(
    { cells, blocks, firstBlock }: CellIndex,
    { from, to }: Range,
    neighbours: TopLists,
    onProgress: Progress,
  ): Promise<void> {
    const lists = this.emptyShortlists(to - from);
    const loaded = await this.store.loadRange(from, to);
    const job = {
      kind: 'scanCells',
      source: await this.encoded.of(loaded),
      place: loaded.place,
      first: from,
      cells: listsOf(cells, from, to),
      firstBlock,
      blocks,
      lists,
    } as const;
    const threads = Math.max(1, this.pool.size);
    const shares = threads * Math.ceil((to - from) / (threads * SHARE));
    await this.pool.run(job, to - from, Math.ceil((to - from) / shares), onProgress);
    await this.settle(lists, neighbours, from);
  }

  /** Converts the shortlists of the rows from `first` on into their neighbours. */
  async settle(shortlists: TopLists, neighbours: TopLists, first: number): Promise<void> {
    const { keys, length } = shortlists;
    const window = { from: 0, to: keys.length / length };
    const batches = this.named.batches(window, (at, name) => {
      name(first + at);
      for (let i = at * length; i < (at + 1) * length && keys[i] !== -1; i++) name(keys[i]!);
    });
    for await (const { from, to, loaded } of batches) {
      const [table, place] = [loaded.table.handle, loaded.place];
      const lists = { shortlists: listsOf(shortlists, from, to), neighbours: listsOf(neighbours, from, to) };
      await this.pool.run({ kind: 'settle', table, place, first: first + from, ...lists }, to - from, UNIT);
    }
  }

  /**
   * In data without clear groups, cell boundaries separate neighbours; the neighbours' neighbours include them. `after` begins with the first row of
   * the range, `cells` and `before` with the first row of all.
   */
  async refine(
    { cells, home }: Pick<CellIndex, 'cells' | 'home'>,
    before: TopLists,
    range: Range,
    after: TopLists,
    onProgress: Progress,
  ): Promise<void> {
    const candidates = new Candidates({ cells, home, before });
    const batches = this.named.batches(range, (row, name) => {
      name(row);
      candidates.visit(row, name);
    });
    for await (const { from, to, loaded } of batches) {
      const [table, place] = [loaded.table.handle, loaded.place];
      const own = listsOf(after, from - range.from, to - range.from);
      const job = { kind: 'refine', table, place, first: from, cells, home, before, after: own } as const;
      await this.pool.run(job, to - from, UNIT, (part) =>
        onProgress((from - range.from + part * (to - from)) / (range.to - range.from)),
      );
    }
  }

  private emptyShortlists(rows: number): TopLists {
    if (this.shortlists === undefined || this.shortlists.keys.length < rows * SHORTLIST)
      return (this.shortlists = allocateTopLists(rows, SHORTLIST));
    const lists = listsOf(this.shortlists, 0, rows);
    lists.keys.fill(-1);
    lists.scores.fill(-Infinity);
    return lists;
  }
}
