import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dimensions } from '../../../common/engine/media-table/column-codec';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { decodeChunk, encodeChunk } from '../../../common/engine/media-table/row-batch';

export interface RankedRow {
  readonly rank: number;
  readonly row: MediaRow;
}

/** The memory for the rows of a bucket while it is read. */
const ROOM_BYTES = 160 * 1024 * 1024;
/** The total memory of all buckets while they are filled, relative to that. */
const FILLING_ROOM = 2;
/** The memory of a row besides its vectors. */
const ROW_BYTES = 1024;
/** The maximum of rows in a spilled piece. */
const MOST_PIECE_ROWS = 2_000;
/** The minimum, because encoding has a fixed cost per piece. */
const LEAST_PIECE_ROWS = 50;
const BATCH_ROWS = 2_000;

/** A range of ranks, stored in pieces of a file until it is read. */
class Bucket {
  private rows: RankedRow[] = [];
  private readonly pieces: { readonly bytes: number; readonly ranks: Int32Array }[] = [];

  constructor(
    private readonly path: string,
    private readonly pieceRows: number,
  ) {}

  async add(ranked: RankedRow): Promise<void> {
    this.rows.push(ranked);
    if (this.rows.length < this.pieceRows) return;
    const piece = encodeChunk(this.rows.map(({ row }) => row));
    await appendFile(this.path, piece);
    this.pieces.push({ bytes: piece.length, ranks: Int32Array.from(this.rows, ({ rank }) => rank) });
    this.rows = [];
  }

  /** Returns all rows by rank and empties the bucket. */
  async take(): Promise<MediaRow[]> {
    const all = this.rows;
    this.rows = [];
    if (this.pieces.length > 0) {
      const file = await readFile(this.path);
      await rm(this.path);
      let at = 0;
      for (const { bytes, ranks } of this.pieces) {
        decodeChunk(file.subarray(at, (at += bytes))).forEach((row, i) => all.push({ rank: ranks[i]!, row }));
      }
    }
    return all.sort((a, b) => a.rank - b.rank).map(({ row }) => row);
  }
}

export interface RowsToSort {
  readonly rows: AsyncIterable<RankedRow>;
  readonly count: number;
  readonly dimensions: Dimensions;
}

/** Sorts rows by rank in bounded memory (external bucket sort): ranks are dense, so the buckets are known in advance. */
export async function* sortByRank(
  { rows, count, dimensions }: RowsToSort,
  folder: string,
  roomBytes = ROOM_BYTES,
): AsyncGenerator<MediaRow[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    const bytes = bytesOfRow(dimensions);
    // For very many rows, buckets are larger, so that their pieces do not become too small.
    const bucketRows = Math.ceil(Math.max(roomBytes / bytes, Math.sqrt(count * LEAST_PIECE_ROWS)));
    const bucketCount = Math.ceil(count / bucketRows);
    const fitting = Math.floor((FILLING_ROOM * roomBytes) / bytes / bucketCount);
    const pieceRows = Math.max(LEAST_PIECE_ROWS, Math.min(MOST_PIECE_ROWS, fitting));
    const buckets = Array.from({ length: bucketCount }, (_, at) => new Bucket(join(folder, String(at)), pieceRows));
    for await (const ranked of rows) await buckets[Math.floor(ranked.rank / bucketRows)]!.add(ranked);
    for (const bucket of buckets) {
      const sorted = await bucket.take();
      for (let at = 0; at < sorted.length; at += BATCH_ROWS) yield sorted.slice(at, at + BATCH_ROWS);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function bytesOfRow(dimensions: Dimensions): number {
  const { embedding, captionEmbedding, generatedCaptionEmbedding = 0, multimodalEmbedding = 0 } = dimensions;
  return ROW_BYTES + 4 * (embedding + captionEmbedding + generatedCaptionEmbedding + multimodalEmbedding);
}
