import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { DatasetCounts } from '../../datasets';
import type { ComparedRow, RowSource } from './row-source';

/** Rows hold vectors and texts: between small batches others run. */
const BATCH_ROWS = 1_024;

/** The rows of a table that is published, in its order. */
export class TableRows implements RowSource {
  constructor(
    private readonly table: MediaTable,
    readonly counts: DatasetCounts,
    private readonly signal: AbortSignal,
  ) {}

  async *rows(): AsyncGenerator<MediaRow> {
    for await (const batch of this.table.readRows(undefined, { batchRows: BATCH_ROWS })) {
      this.signal.throwIfAborted();
      yield* batch;
    }
  }

  async *comparedRows(): AsyncGenerator<ComparedRow> {
    for await (const batch of this.table.readRows(['kind', 'parentId', 'sha256', 'embedding'], {
      batchRows: BATCH_ROWS,
    })) {
      this.signal.throwIfAborted();
      yield* batch;
    }
  }
}
