import type { QuantisedColumn, QuantisedFiles } from './quantised-files';
import type { Dimensions } from '../media-table/column-codec';
import type { MediaTable } from '../media-table/media-table';

export interface VectorBatch {
  /** The ordinal of the first row. */
  readonly first: number;
  readonly count: number;
  /** Consecutive vectors; all zeros for a row without a vector. */
  readonly vectors: Float32Array;
}

/** Sources that start with the same rows: versions of one table. They may diverge, as after restoring a snapshot. */
export interface VectorSeries {
  readonly name: string;
  /** If it is equal for two sources of the series, their first `count` rows are the same. */
  nameOfRows(count: number): Promise<string>;
}

/** A vector column as stored. */
export interface VectorSource {
  readonly rows: number;
  readonly dimension: number;
  readonly series?: VectorSeries;
  /** Files of whole blocks of its rows, if they may exist. */
  readonly files?: QuantisedColumn | undefined;
  /** Starts at row `from`. */
  batches(signal?: AbortSignal, from?: number): AsyncGenerator<VectorBatch>;
  /** Vectors in the order requested. */
  take(ordinals: Int32Array): Promise<Float32Array>;
}

export type VectorColumn = 'embedding' | 'caption_embedding' | 'generated_caption_embedding' | 'multimodal_embedding';

export const VECTOR_FIELDS = {
  embedding: 'embedding',
  caption_embedding: 'captionEmbedding',
  generated_caption_embedding: 'generatedCaptionEmbedding',
  multimodal_embedding: 'multimodalEmbedding',
} as const satisfies Record<VectorColumn, keyof Dimensions>;

/** A quarter of this blocks the event loop three times as long in total, without being faster. */
const BATCH_BYTES = 32 * 2 ** 20;

/** A vector column of a table version. */
export function tableVectors(table: MediaTable, column: VectorColumn, files?: QuantisedFiles): VectorSource {
  const field = VECTOR_FIELDS[column];
  const dimension = table.dimensions[field];
  if (dimension === undefined) throw new Error(`The table ${table.at.generation} has no column ${column}`);
  const batchRows = Math.max(1, Math.floor(BATCH_BYTES / (dimension * 4)));
  return {
    rows: table.rows,
    dimension,
    series: { name: `${table.at.generation}/${column}`, nameOfRows: (count) => table.nameOfRows(count) },
    files: files?.of(table, column),
    async *batches(signal, from = 0): AsyncGenerator<VectorBatch> {
      for await (const { first, count, columns } of table.readColumns([column], { batchRows, from })) {
        signal?.throwIfAborted();
        yield { first, count, vectors: columns[column] as Float32Array };
      }
    },
    take: (ordinals) => table.takeVectors(ordinals, column, dimension),
  };
}
