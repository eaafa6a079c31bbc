import type { FiledRows, LoadedRows, Range } from './filed-rows';

/** Calls `name` for each other row that the given row needs. */
export type NamesOf = (row: number, name: (other: number) => void) => void;

export interface LoadedBatch extends Range {
  readonly loaded: LoadedRows;
}

/** Processes rows in batches, each loaded together with the rows that its members name. */
export class NamedRows {
  private readonly batchOf: Int32Array;
  private batch = 0;

  constructor(private readonly store: FiledRows) {
    this.batchOf = new Int32Array(store.holdsAll ? 0 : store.count);
  }

  /** `namesOf` may be called twice for a row. Its first argument counts from `from` to `to` and need not be a row itself. */
  async *batches({ from, to }: Range, namesOf: NamesOf): AsyncGenerator<LoadedBatch> {
    const { store } = this;
    if (store.holdsAll) {
      if (to > from) yield { from, to, loaded: await store.loadRange(from, to) };
      return;
    }
    for (let first = from; first < to;) {
      const { end, rows } = this.gather(first, to, namesOf);
      yield { from: first, to: end, loaded: await store.load(rows) };
      first = end;
    }
  }

  /** Collects as many rows as fit. */
  private gather(first: number, to: number, namesOf: NamesOf): { end: number; rows: Int32Array } {
    const { batchOf, store } = this;
    const batch = ++this.batch;
    const rows = new Int32Array(store.room);
    let length = 0;
    const name = (row: number): void => {
      if (batchOf[row] === batch) return;
      batchOf[row] = batch;
      if (length < rows.length) rows[length] = row;
      length += 1;
    };
    let end = first;
    for (; end < to; end++) {
      const before = length;
      namesOf(end, name);
      if (length <= store.room) continue;
      if (end === first) throw new RangeError(`One entry needs ${length} rows, but only ${store.room} fit into memory`);
      length = before;
      break;
    }
    return { end, rows: rows.subarray(0, length).sort() };
  }
}
