import { type Annotation, shapeKindOf } from '../../common/engine/annotations/annotation';
import type { SourceTotals } from '../events';
import type { AnnotationSource, OpenedVersion, ShapeCounts } from '../versions';
import type { AnnotationDraft } from './annotation-draft';
import type { AnnotationChange } from './domain/annotation-change';
import { pictureChange } from './domain/picture-change';
import type { Conflict } from './domain/source-change';
import { AnnotationChangedError, MOST_CONFLICTS } from './domain/source-errors';
import { packedContent, type ChangedSource } from './history/change-content';

/** What a source says about one picture, before and after a change. */
export interface ChangedList {
  readonly row: number;
  readonly id: string;
  readonly before: readonly Annotation[];
  readonly after: readonly Annotation[];
}

export function withCounts(counts: ShapeCounts, annotations: readonly Annotation[], sign: 1 | -1): ShapeCounts {
  const sum = { ...counts };
  for (const annotation of annotations) sum[shapeKindOf(annotation)] += sign;
  return sum;
}

/** The source with the number of its annotations after the change. */
export function countedAfter(source: AnnotationSource, lists: readonly ChangedList[]): AnnotationSource {
  const counts = lists.reduce(
    (sum, { before, after }) => withCounts(withCounts(sum, after, 1), before, -1),
    source.counts,
  );
  return { ...source, counts };
}

export function putLists(
  draft: AnnotationDraft,
  source: AnnotationSource,
  lists: readonly ChangedList[],
  totals: Omit<SourceTotals, 'source'>,
): void {
  const after = lists.map(({ row, id, after: annotations }) => ({ row, id, annotations }));
  draft.put(source, after, totals);
}

type KeptLists = Pick<AnnotationChange, 'nMedia' | 'mediaIds' | 'content' | 'contentBytes'>;

/** As the history of the dataset keeps it. */
export async function keptLists(lists: readonly ChangedList[], source: ChangedSource): Promise<KeptLists> {
  const changed = lists
    .map(({ id, before, after }) => ({ id, change: pictureChange(before, after) }))
    .filter(({ change: { before, after } }) => before.length + after.length > 0);
  const pictures = changed.map(({ change }) => change);
  const { content, contentBytes } = (await packedContent(source, pictures)) ?? { content: null, contentBytes: 0 };
  return { nMedia: changed.length, mediaIds: changed.map(({ id }) => id), content, contentBytes };
}

/** An annotation of a picture that is not as the sender has seen it. */
export interface FoundConflict {
  readonly mediaId: string;
  /** Of the picture; undefined if the version has it no more. */
  readonly row: number | undefined;
  readonly conflict: Conflict;
}

export async function changedSince(
  { table }: OpenedVersion,
  source: string,
  conflicts: readonly FoundConflict[],
): Promise<AnnotationChangedError> {
  const named = conflicts.slice(0, MOST_CONFLICTS);
  const rows = [...new Set(named.flatMap(({ row }) => row ?? []))];
  const media = await table.takeRows(rows, ['path']);
  const pathOf = new Map(rows.map((row, at) => [row, media[at]!.path]));
  return new AnnotationChangedError(
    named.map(({ mediaId, row, conflict: { id, sent, current: annotation } }) => {
      const current = annotation && { annotation, mediaId, path: pathOf.get(row!)!, source };
      return { id, mediaId, sent, current };
    }),
  );
}
