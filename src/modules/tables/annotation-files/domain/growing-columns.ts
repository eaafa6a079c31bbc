const FIRST_CAPACITY = 1024;

/** Rows of numbers in a typed array that doubles when full, so that millions of rows need no objects. */
export class GrowingColumns {
  private values: Float64Array | Int32Array;
  private rows = 0;

  constructor(
    private readonly make: (length: number) => Float64Array | Int32Array,
    private readonly columns: number,
  ) {
    this.values = make(FIRST_CAPACITY * columns);
  }

  get length(): number {
    return this.rows;
  }

  push(...row: readonly number[]): number {
    const start = this.rows * this.columns;
    if (start >= this.values.length) {
      const larger = this.make(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values.set(row, start);
    this.rows += 1;
    return this.rows - 1;
  }

  get(row: number, column: number): number {
    return this.values[row * this.columns + column] ?? 0;
  }

  set(row: number, column: number, value: number): void {
    this.values[row * this.columns + column] = value;
  }
}

export const integers = (length: number): Int32Array => new Int32Array(length);
export const decimals = (length: number): Float64Array => new Float64Array(length);
