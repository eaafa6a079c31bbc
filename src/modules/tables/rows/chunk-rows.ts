import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { decodeChunk } from '../../../common/engine/media-table/row-batch';
import { ObjectNotFoundError, type ObjectStore } from '../../../common/platform/storage/object-store';
import type { DatasetCounts } from '../../datasets';
import { unusedAnnotationWarnings } from '../annotation-files/domain/annotation-file';
import type { AnalyzedChunk } from '../persistence/chunk-journal.repository';
import type { RowSource } from './row-source';

/** Files whose rows are skipped, by their index in the chunks. */
export interface ExcludedFiles {
  readonly files: OrdinalSet;
  /** Counts of the remaining rows. */
  readonly counts: DatasetCounts;
}

export const isFile = ({ kind }: Pick<MediaRow, 'kind'>): boolean => kind === 'IMAGE' || kind === 'VIDEO';

/** The rows that a run has analysed, chunk by chunk. Objects and frames follow their file. */
export class ChunkRows implements RowSource {
  readonly counts: DatasetCounts;

  constructor(
    private readonly store: ObjectStore,
    private readonly chunks: readonly AnalyzedChunk[],
    private readonly signal: AbortSignal,
    private readonly excluded?: ExcludedFiles,
  ) {
    this.counts = excluded?.counts ?? sumCounts(chunks);
  }

  /** Warnings about annotations that could not be used. */
  get warnings(): readonly string[] {
    return unusedAnnotationWarnings(this.chunks);
  }

  get files(): number {
    return this.counts.images + this.counts.videos;
  }

  without(excluded: ExcludedFiles): ChunkRows {
    return new ChunkRows(this.store, this.chunks, this.signal, excluded);
  }

  async *rows(): AsyncGenerator<MediaRow> {
    let file = -1;
    for (const chunk of this.chunks) {
      this.signal.throwIfAborted();
      if (chunk.images + chunk.videos === 0) continue;
      for (const row of decodeChunk(await this.store.read(chunk.storeKey))) {
        if (isFile(row)) file += 1;
        if (this.excluded?.files.has(file) !== true) yield row;
      }
    }
  }

  comparedRows(): AsyncGenerator<MediaRow> {
    return this.rows();
  }
}

/** Undefined if the chunk is missing or damaged; the table cannot be built then. */
export async function readChunk(store: ObjectStore, key: string): Promise<MediaRow[] | undefined> {
  const bytes = await store.read(key).catch(unlessMissing);
  try {
    return bytes && decodeChunk(bytes);
  } catch {
    return undefined;
  }
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ObjectNotFoundError)) throw error;
}

function sumCounts(chunks: readonly AnalyzedChunk[]): DatasetCounts {
  const sum = (count: (chunk: AnalyzedChunk) => number): number =>
    chunks.reduce((total, chunk) => total + count(chunk), 0);
  return {
    images: sum((chunk) => chunk.images),
    videos: sum((chunk) => chunk.videos),
    objects: sum((chunk) => chunk.objects),
    frames: sum((chunk) => chunk.frames),
  };
}
