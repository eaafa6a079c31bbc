import { randomUUID } from 'node:crypto';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import pMap from 'p-map';
import type { VectorBlock } from '../files/vector-block';

const AT_ONCE = 8;
const ROWS_AT_ONCE = 1_024;
const NUMBER_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** The vectors of a table's rows in their order, on disk until they are read. */
export class SpooledVectors {
  private readonly there: Uint8Array;

  private constructor(
    private readonly file: FileHandle,
    private readonly rows: number,
    readonly dimension: number,
  ) {
    this.there = new Uint8Array(rows);
  }

  /** The file has no name, so that nothing of it stays when the process is killed. */
  static async create(folder: string, rows: number, dimension: number): Promise<SpooledVectors> {
    await mkdir(folder, { recursive: true });
    const path = join(folder, `vectors-${randomUUID()}`);
    const file = await open(path, 'wx+');
    await unlink(path);
    return new SpooledVectors(file, rows, dimension);
  }

  has(row: number): boolean {
    return this.there[row] === 1;
  }

  /** Call it before `write`. */
  mark(row: number): void {
    this.there[row] = 1;
  }

  /** Writes the vectors of a block to the rows at `places`; those with -1 are left out. */
  async write({ vectors }: Pick<VectorBlock, 'vectors'>, places: Int32Array): Promise<void> {
    const { dimension, file } = this;
    const size = dimension * NUMBER_BYTES;
    const bytes = Buffer.from(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    await pMap(
      runsOf(places),
      ({ from, length }) => file.write(bytes, from * size, length * size, places[from]! * size),
      { concurrency: AT_ONCE },
    );
  }

  /** Adds the vectors to the rows of the table, which come in order; null for rows without a vector. */
  async *addedTo<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row & { embedding: Float32Array | null }> {
    const { dimension } = this;
    let at = 0;
    let block = new Float32Array();
    for await (const row of rows) {
      const inBlock = at % ROWS_AT_ONCE;
      if (inBlock === 0) block = await this.read(at, Math.min(ROWS_AT_ONCE, this.rows - at));
      const embedding = this.has(at) ? block.slice(inBlock * dimension, (inBlock + 1) * dimension) : null;
      yield { ...row, embedding };
      at += 1;
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async read(first: number, count: number): Promise<Float32Array<ArrayBuffer>> {
    const vectors = new Float32Array(count * this.dimension);
    const bytes = Buffer.from(vectors.buffer);
    const start = first * this.dimension * NUMBER_BYTES;
    for (let at = 0; at < bytes.length;) {
      const { bytesRead } = await this.file.read(bytes, at, bytes.length - at, start + at);
      // The rest of the file was never written: rows without a vector.
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return vectors;
  }
}

interface Run {
  readonly from: number;
  readonly length: number;
}

/** Consecutive vectors that go to consecutive rows, for each of which one write is enough. */
function runsOf(places: Int32Array): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < places.length;) {
    let end = from + 1;
    while (end < places.length && places[from]! >= 0 && places[end] === places[end - 1]! + 1) end += 1;
    if (places[from]! >= 0) runs.push({ from, length: end - from });
    from = end;
  }
  return runs;
}
