import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { decodeChunk, encodeChunk } from '../../../common/engine/media-table/row-batch';

export interface RankedRow {
  readonly rank: number;
  readonly row: MediaRow;
}

/** Rows in memory at once while a bucket is read, and while all are filled. */
const BUCKET_ROWS = 50_000;
const FILLING_ROWS = 100_000;
/** Rows in a spilled piece. */
const MOST_PIECE_ROWS = 2_000;
const LEAST_PIECE_ROWS = 50;
const BATCH_ROWS = 2_000;

/** A range of ranks, on disk in pieces until it is read. */
class Bucket {
  private rows: RankedRow[] = [];
  private readonly pieces: { path: string; ranks: Int32Array }[] = [];

  constructor(
    private readonly folder: string,
    private readonly name: string,
    private readonly pieceRows: number,
  ) {}

  async add(ranked: RankedRow): Promise<void> {
    this.rows.push(ranked);
    if (this.rows.length < this.pieceRows) return;
    const path = join(this.folder, `${this.name}-${this.pieces.length}.arrow`);
    await writeFile(path, encodeChunk(this.rows.map(({ row }) => row)));
    this.pieces.push({ path, ranks: Int32Array.from(this.rows, ({ rank }) => rank) });
    this.rows = [];
  }

  /** Returns all rows by rank and empties the bucket. */
  async take(): Promise<MediaRow[]> {
    const all = this.rows;
    this.rows = [];
    for (const { path, ranks } of this.pieces) {
      decodeChunk(await readFile(path)).forEach((row, at) => all.push({ rank: ranks[at]!, row }));
      await rm(path);
    }
    return all.sort((a, b) => a.rank - b.rank).map(({ row }) => row);
  }
}

/** Sorts rows by rank in bounded memory (external bucket sort): ranks are dense, so the buckets are known in advance. */
export async function* sortByRank(
  rows: AsyncIterable<RankedRow>,
  count: number,
  folder: string,
): AsyncGenerator<MediaRow[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    const bucketCount = Math.ceil(count / BUCKET_ROWS);
    const pieceRows = Math.max(LEAST_PIECE_ROWS, Math.min(MOST_PIECE_ROWS, Math.floor(FILLING_ROWS / bucketCount)));
    const buckets = Array.from({ length: bucketCount }, (_, at) => new Bucket(folder, String(at), pieceRows));
    for await (const ranked of rows) await buckets[Math.floor(ranked.rank / BUCKET_ROWS)]!.add(ranked);
    for (const bucket of buckets) {
      const sorted = await bucket.take();
      for (let at = 0; at < sorted.length; at += BATCH_ROWS) yield sorted.slice(at, at + BATCH_ROWS);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
