import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { DatasetCounts } from '../../datasets';
import type { MediaTable, ReadOptions } from '../../../common/engine/media-table/media-table';

/** Small, because rows have vectors and texts, so that other requests run between batches. */
const BATCH_ROWS = 1_024;

/** The rows of a published table, or those that pass a filter, in table order. */
export class TableRows implements RowSource {
  constructor(
    private readonly table: MediaTable,
    readonly counts: DatasetCounts,
    private readonly signal: AbortSignal,
    private readonly filter?: string,
  ) {}

  async *rows(): AsyncGenerator<MediaRow> {
    for await (const batch of this.table.readRows(undefined, this.options)) {
      this.signal.throwIfAborted();
      yield* batch;
    }
  }

  async *comparedRows(): AsyncGenerator<ComparedRow> {
    for await (const batch of this.table.readRows(COMPARED_FIELDS, this.options)) {
      this.signal.throwIfAborted();
      yield* batch;
    }
  }

  private get options(): ReadOptions {
    return { batchRows: BATCH_ROWS, ...(this.filter === undefined ? {} : { filter: this.filter }) };
  }
}

export const COMPARED_FIELDS = [
  'id',
  'kind',
  'parentId',
  'sha256',
  'embedding',
  'labels',
  'generatedLabels',
  'objectSource',
] as const satisfies readonly (keyof MediaRow)[];
export type ComparedRow = Pick<MediaRow, (typeof COMPARED_FIELDS)[number]>;

/** The rows to write to a table. Every iteration returns them in the same order. */
export interface RowSource {
  readonly counts: DatasetCounts;
  rows(): AsyncGenerator<MediaRow>;
  /** The same rows with only the fields that are compared. */
  comparedRows(): AsyncGenerator<ComparedRow>;
}

export const totalOf = ({ images, videos, objects, frames }: DatasetCounts): number =>
  images + videos + objects + frames;

export const sumOfCounts = (a: DatasetCounts, b: DatasetCounts): DatasetCounts => ({
  images: a.images + b.images,
  videos: a.videos + b.videos,
  objects: a.objects + b.objects,
  frames: a.frames + b.frames,
});

/** Concatenates two sources. */
export const joinedRows = (first: RowSource, second: RowSource): RowSource => ({
  counts: sumOfCounts(first.counts, second.counts),
  async *rows() {
    yield* first.rows();
    yield* second.rows();
  },
  async *comparedRows() {
    yield* first.comparedRows();
    yield* second.comparedRows();
  },
});

export async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
