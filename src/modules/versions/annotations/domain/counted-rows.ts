import { inSlices } from '../../../../common/platform/concurrency/in-slices';

/** Rows with the number of their annotations, without those that have none. */
export class CountedRows {
  private constructor(
    /** Ascending. */
    readonly rows: Int32Array,
    /** By place: how many annotations there are up to and with this row. */
    private readonly ends: Int32Array,
  ) {}

  static async of(counts: Int32Array): Promise<CountedRows> {
    let filled = 0;
    await inSlices(counts.length, (start, end) => {
      for (let row = start; row < end; row++) if (counts[row]! > 0) filled += 1;
    });
    const [rows, ends] = [new Int32Array(filled), new Int32Array(filled)];
    let [place, total] = [0, 0];
    await inSlices(counts.length, (start, end) => {
      for (let row = start; row < end; row++) {
        if (counts[row] === 0) continue;
        rows[place] = row;
        ends[place++] = total += counts[row]!;
      }
    });
    return new CountedRows(rows, ends);
  }

  /** Of a few rows, ascending. */
  static among(rows: readonly number[], countOf: (row: number) => number): CountedRows {
    const filled = rows.filter((row) => countOf(row) > 0);
    let total = 0;
    const ends = filled.map((row) => (total += countOf(row)));
    return new CountedRows(Int32Array.from(filled), Int32Array.from(ends));
  }

  /** At most, of so many rows. */
  static bytesOf(rows: number): number {
    return 2 * rows * Int32Array.BYTES_PER_ELEMENT;
  }

  get total(): number {
    return this.ends.at(-1) ?? 0;
  }

  /** The place of the first row that is not before this one. */
  placeOf(row: number): number {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle]! < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many annotations the rows before a place have. */
  before(place: number): number {
    return place === 0 ? 0 : this.ends[place - 1]!;
  }
}
