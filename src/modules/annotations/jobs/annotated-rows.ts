import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { ComparedRow, RowSource } from '../../ingestion/for-operations';
import { annotated, relabelled, type AnnotationMode } from '../domain/annotation';
import type { GivenAnnotations } from './given-annotations';

/** The rows of a source with what people say about them. */
export class AnnotatedRows implements RowSource {
  constructor(
    private readonly source: RowSource,
    private readonly given: GivenAnnotations,
    private readonly mode: AnnotationMode,
  ) {}

  get counts(): RowSource['counts'] {
    return this.source.counts;
  }

  async *rows(): AsyncGenerator<MediaRow> {
    for await (const row of this.source.rows())
      yield this.given.about(row).reduce((now, annotation) => annotated(now, annotation, this.mode), row);
  }

  async *comparedRows(): AsyncGenerator<ComparedRow> {
    if (this.given.byPath) {
      for await (const row of this.source.rows()) yield this.relabelled(row, row.path);
      return;
    }
    for await (const row of this.source.comparedRows()) yield this.relabelled(row, '');
  }

  private relabelled<Row extends ComparedRow>(row: Row, path: string): Row {
    const { id, kind } = row;
    return this.given.about({ id, kind, path }).reduce((now, each) => relabelled(now, each, this.mode), row);
  }
}
