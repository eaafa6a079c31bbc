import type { QuantisedRows } from './quantised-rows';
import { quantiserOf } from './quantiser';
import { UnreadRows } from './unread-rows';
import type { VectorSource } from './vector-source';

/** The blocks of a source from one row on, each once: from their files as far as there are some, then from the column. */
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

  /** Those that were not read yet, up to row `end`, which ends a block. */
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
      // One part at most waits to be written.
      await this.writing;
      this.writing = column?.write(first / blockRows, files);
      this.next = end;
      return blocks;
    } finally {
      await quantiser.close();
    }
  }
}
