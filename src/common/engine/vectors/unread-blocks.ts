import type { QuantisedRows } from './quantised-rows';
import { quantiserOf } from './quantiser';
import type { VectorSource, VectorBatch } from './vector-source';

/** The rows of a source from one row on, read once in any number of steps. */
class UnreadRows {
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

  /** Yields the rows not read yet, up to `end`. */
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

/** The blocks of a source from one row on, each once: from files while they exist, then from the column. */
export class UnreadBlocks {
  private rows: UnreadRows | undefined;
  private writing: Promise<void> | undefined;

  constructor(
    private readonly source: VectorSource,
    /** The first row of a block. */
    private next: number,
    private readonly blockRows: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Returns the blocks not read yet, up to row `end`, which ends a block. */
  async until(end: number): Promise<readonly QuantisedRows[]> {
    const kept = await this.keptUntil(end);
    const made = this.next < end ? await this.quantisedUntil(end) : [];
    return [...kept, ...made];
  }

  async close(): Promise<void> {
    await this.rows?.close();
  }

  private async keptUntil(end: number): Promise<QuantisedRows[]> {
    const { files, dimension } = this.source;
    const blocks: QuantisedRows[] = [];
    if (files === undefined || this.rows !== undefined) return blocks;
    while (this.next + this.blockRows <= end) {
      const block = await files.read(this.next / this.blockRows, this.blockRows, dimension);
      this.signal?.throwIfAborted();
      if (block === undefined) break;
      blocks.push(block);
      this.next += this.blockRows;
    }
    return blocks;
  }

  private async quantisedUntil(end: number): Promise<readonly QuantisedRows[]> {
    const { source, next: first, blockRows, signal } = this;
    this.rows ??= new UnreadRows(source, first, signal);
    const { dimension, files: column } = source;
    const quantiser = quantiserOf({ rows: end - first, dimension, blockRows, asFiles: column !== undefined });
    try {
      for await (const { first: row, vectors } of this.rows.until(end)) await quantiser.add(row - first, vectors);
      const { blocks, files } = await quantiser.finish();
      // At most one part waits to be written.
      await this.writing;
      this.writing = column?.write(first / blockRows, files);
      this.next = end;
      return blocks;
    } finally {
      await quantiser.close();
    }
  }
}
