import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { VectorColumn } from '../../../common/engine/vectors/vector-source';
import type { VectorCache } from '../../../common/engine/vectors/vector-cache';
import { beforeReadingAhead } from '../../../common/platform/concurrency/in-slices';
import type { DatasetPointer } from '../../datasets';
import { encoderOf } from './text-vectors';

/** Loads in the background what searches by image or text will need. A failure is ignored: the next search reports it. */
export class VectorsAhead {
  /** The columns whose index is being read, or was. */
  private readonly indexes = new WeakMap<MediaTable, Set<VectorColumn>>();

  constructor(private readonly vectors: Pick<VectorCache, 'prepare' | 'holdsColumn'>) {}

  prepare(pointer: DatasetPointer, table: MediaTable): void {
    this.prepareColumn(table, 'embedding');
    if (encoderOf(pointer, table) !== undefined) this.prepareColumn(table, 'multimodal_embedding');
    table.hasCaptions().then(
      (has) => has && this.prepareColumn(table, 'caption_embedding'),
      () => undefined,
    );
  }

  private prepareColumn(table: MediaTable, column: VectorColumn): void {
    if (this.vectors.holdsColumn(table, column)) {
      this.vectors.prepare(table, column);
      return;
    }
    const ahead = this.indexes.get(table) ?? new Set();
    if (ahead.has(column)) return;
    this.indexes.set(table, ahead.add(column));
    beforeReadingAhead()
      .then(() => table.loadNearestIndex(column))
      .catch(() => undefined);
  }
}
