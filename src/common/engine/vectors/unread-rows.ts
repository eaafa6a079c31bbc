import type { VectorBatch, VectorSource } from './vector-source';

/** The rows of a source from one row on, read once, in as many stretches as are asked for. */
export class UnreadRows {
  readonly dimension: number;
  private readonly batches: AsyncGenerator<VectorBatch>;
  private rest: VectorBatch | undefined;

  constructor(
    source: VectorSource,
    private next: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.dimension = source.dimension;
    this.batches = source.batches(signal, next);
  }

  /** The rows that were not read yet, up to `end`. */
  async *until(end: number): AsyncGenerator<VectorBatch> {
    while (this.next < end) {
      const batch = this.rest ?? (await this.read());
      const count = Math.min(batch.count, end - this.next);
      this.rest = count < batch.count ? this.after(batch, count) : undefined;
      yield { first: this.next, count, vectors: batch.vectors.subarray(0, count * this.dimension) };
      this.next += count;
    }
  }

  async close(): Promise<void> {
    await this.batches.return(undefined);
  }

  private async read(): Promise<VectorBatch> {
    const read = await this.batches.next();
    this.signal?.throwIfAborted();
    if (read.done === true) throw new RangeError(`The vectors end at row ${this.next}`);
    return read.value;
  }

  private after({ first, count, vectors }: VectorBatch, taken: number): VectorBatch {
    return { first: first + taken, count: count - taken, vectors: vectors.subarray(taken * this.dimension) };
  }
}
