import type { LoadedRows, Range, RowStore } from './row-store';

/** Calls `name` for each row that the given one needs besides itself. */
export type NamesOf = (row: number, name: (other: number) => void) => void;

export interface LoadedBatch extends Range {
  readonly loaded: LoadedRows;
}

/** Goes through rows in batches, each loaded with the rows that it names. */
export class NamedRows {
  private readonly batchOf: Int32Array;
  private batch = 0;

  constructor(private readonly store: RowStore) {
    this.batchOf = new Int32Array(store.room === Infinity ? 0 : store.count);
  }

  /** `namesOf` may be asked about a row twice. The first argument counts from `from` to `to`, and needs not be a row itself. */
  async *batches({ from, to }: Range, namesOf: NamesOf): AsyncGenerator<LoadedBatch> {
    const { store } = this;
    if (this.batchOf.length === 0) {
      if (to > from) yield { from, to, loaded: await store.load(new Int32Array(0)) };
      return;
    }
    for (let first = from; first < to;) {
      const { end, rows } = this.gather(first, to, namesOf);
      yield { from: first, to: end, loaded: await store.load(rows) };
      first = end;
    }
  }

  /** As many as fit. */
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
      if (end === first) throw new RangeError(`One entry needs ${length} rows, and there is room for ${store.room}`);
      length = before;
      break;
    }
    return { end, rows: rows.subarray(0, length).sort() };
  }
}
