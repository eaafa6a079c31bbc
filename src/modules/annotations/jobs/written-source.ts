import type { Skeleton } from '../../../common/engine/annotation-formats/file-picture';
import { mergedSkeletons } from '../../../common/engine/annotation-formats/skeletons';
import type { TableVersion } from '../../../common/engine/media-table/table-version';
import type { SourceTotals } from '../../events';
import type { AnnotationSource, SegmentRecord } from '../../versions';
import type { SourceMode } from '../domain/source-change';

/** A source with the annotations of files, which no state names yet. */
export interface WrittenSource {
  readonly mode: SourceMode;
  /** The media that the annotations are about. */
  readonly table: TableVersion;
  /** The source as it was read; without files and annotations if it was not there. */
  readonly before: AnnotationSource;
  readonly source: AnnotationSource;
  readonly totals: Omit<SourceTotals, 'source'>;
}

export interface Act {
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

export const withSkeletons = (source: AnnotationSource, later: readonly Skeleton[] = []): AnnotationSource =>
  later.length === 0 ? source : { ...source, skeletons: mergedSkeletons(source.skeletons ?? [], later) };

/** The files of a source that it did not have before. */
export function filesAfter(before: AnnotationSource, { segments }: AnnotationSource): readonly SegmentRecord[] {
  const known = new Set(before.segments.map(({ id }) => id));
  return segments.filter(({ id }) => !known.has(id));
}
