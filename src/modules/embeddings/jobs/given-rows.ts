import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { ComparedRow, RowSource, TableRows } from '../../tables';
import type { SpooledVectors } from './spooled-vectors';

/** The rows of a table with other vectors. */
export class GivenRows implements RowSource {
  constructor(
    private readonly source: TableRows,
    private readonly vectors: SpooledVectors,
  ) {}

  get counts(): RowSource['counts'] {
    return this.source.counts;
  }

  rows(): AsyncGenerator<MediaRow> {
    return this.vectors.addedTo(this.source.rows());
  }

  comparedRows(): AsyncGenerator<ComparedRow> {
    return this.vectors.addedTo(this.source.comparedRows());
  }
}
