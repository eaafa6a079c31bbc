import type { Annotation } from '../../../common/engine/annotations/annotation';
import type { Conflict } from './source-change';

export interface PlacedAnnotation {
  /** Its place in the list of its picture. */
  readonly at: number;
  readonly annotation: Annotation;
}

/** The annotations of one source in one picture that a change removed, made or made anew. */
export interface PictureChange {
  /** In the order of their places, as `after`. */
  readonly before: readonly PlacedAnnotation[];
  readonly after: readonly PlacedAnnotation[];
}

export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

type Annotations = readonly Annotation[];

const differing = (annotations: Annotations, from: Annotations): PlacedAnnotation[] => {
  const versions = new Map(from.map(({ id, version }) => [id, version]));
  return annotations.flatMap((annotation, at) =>
    versions.get(annotation.id) === annotation.version ? [] : [{ at, annotation }],
  );
};

export const pictureChange = (before: Annotations, after: Annotations): PictureChange => ({
  before: differing(before, after),
  after: differing(after, before),
});

export function countsOf({ before, after }: PictureChange): ChangeCounts {
  const known = new Set(before.map(({ annotation }) => annotation.id));
  const changed = after.filter(({ annotation }) => known.has(annotation.id)).length;
  return { added: after.length - changed, changed, removed: before.length - changed };
}

/**
 * The annotations as they were before a change, if those that it changed are still as it left them. Others stay in their order. `now` is
 * undefined if there is no such picture any more.
 */
export function withoutChange(
  now: Annotations | undefined,
  { before, after }: PictureChange,
): { readonly annotations: Annotations; readonly conflicts: readonly Conflict[] } {
  const current = new Map(now?.map((annotation) => [annotation.id, annotation]));
  const made = new Map(after.map(({ annotation: { id, version } }) => [id, version]));
  const conflicts: Conflict[] = [];
  for (const [id, sent] of made)
    if (current.get(id)?.version !== sent) conflicts.push({ id, sent, current: current.get(id) ?? null });
  for (const { annotation } of before) {
    if (made.has(annotation.id)) continue;
    const { id, version: sent } = annotation;
    const again = current.get(id) ?? null;
    if (now === undefined || again !== null) conflicts.push({ id, sent, current: again });
  }
  const others = now?.filter(({ id }) => !made.has(id)) ?? [];
  return { annotations: placed(others, before), conflicts };
}

function placed(others: Annotations, inserted: readonly PlacedAnnotation[]): Annotations {
  const list: Annotation[] = [];
  let next = 0;
  for (const { at, annotation } of inserted) {
    while (list.length < at && next < others.length) list.push(others[next++]!);
    list.push(annotation);
  }
  while (next < others.length) list.push(others[next++]!);
  return list;
}
