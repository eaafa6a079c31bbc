import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { DatasetCounts } from '../../datasets';

export const COMPARED_FIELDS = [
  'id',
  'kind',
  'parentId',
  'sha256',
  'embedding',
  'labels',
  'generatedLabels',
] as const satisfies readonly (keyof MediaRow)[];
export type ComparedRow = Pick<MediaRow, (typeof COMPARED_FIELDS)[number]>;

/** The rows to write to a table. Every iteration returns them in the same order. */
export interface RowSource {
  readonly counts: DatasetCounts;
  rows(): AsyncGenerator<MediaRow>;
  /** The same rows, with the fields for the comparison only. */
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
