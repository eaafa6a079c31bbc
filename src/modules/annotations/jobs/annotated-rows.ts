import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { DatasetCounts } from '../../datasets';
import type { ComparedRow, RowSource } from '../../tables';
import { annotated, relabelled, type AnnotationMode } from '../domain/annotation';
import type { ReplacedObjects } from '../domain/replaced-objects';
import type { AddedObjects } from './added-objects';
import type { GivenAnnotations } from './given-annotations';

export interface ChangedObjects {
  readonly replaced: ReplacedObjects;
  /** The number of those in the source that are replaced. */
  readonly removed: number;
  readonly added: AddedObjects;
}

/** The rows of a source with the annotations of a task, without replaced objects, followed by the added ones. */
export class AnnotatedRows implements RowSource {
  readonly counts: DatasetCounts;

  constructor(
    private readonly source: RowSource,
    private readonly given: GivenAnnotations,
    private readonly mode: AnnotationMode,
    private readonly objects?: ChangedObjects,
  ) {
    const { counts } = source;
    const change = objects === undefined ? 0 : objects.added.count - objects.removed;
    this.counts = { ...counts, objects: counts.objects + change };
  }

  async *rows(): AsyncGenerator<MediaRow> {
    for await (const row of this.source.rows()) {
      if (this.objects?.replaced.has(row) === true) continue;
      yield this.given.about(row).reduce((now, annotation) => annotated(now, annotation, this.mode), row);
    }
    if (this.objects !== undefined) yield* this.objects.added.rows();
  }

  async *comparedRows(): AsyncGenerator<ComparedRow> {
    // Only whole rows have paths.
    const rows: AsyncIterable<ComparedRow & { readonly path?: string }> = this.given.byPath
      ? this.source.rows()
      : this.source.comparedRows();
    for await (const row of rows) if (this.objects?.replaced.has(row) !== true) yield this.relabelled(row);
    if (this.objects !== undefined) yield* this.objects.added.rows();
  }

  private relabelled(row: ComparedRow & { readonly path?: string }): ComparedRow {
    const { id, kind, path = '' } = row;
    return this.given
      .about({ id, kind, path })
      .reduce<ComparedRow>((now, each) => relabelled(now, each, this.mode), row);
  }
}
