import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable, ReadOptions } from '../../../common/engine/media-table/media-table';
import type { DatasetCounts } from '../../datasets';
import { COMPARED_FIELDS, type ComparedRow, type RowSource } from './row-source';

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
