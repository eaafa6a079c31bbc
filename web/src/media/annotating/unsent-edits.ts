import { saysTheSame, type Annotation, type Change, type Edit, type Said } from './edit';

/** An edit that the service has not confirmed. */
export interface UnsentEdit extends Edit {
  /** Different for each. */
  readonly key: string;
  /** The edit that it takes back; its change is known once that edit is confirmed. */
  readonly undoes: { readonly key: string; readonly changeId: string | null } | null;
}

/** Oldest first; the first one is sent. */
export type Unsent = readonly UnsentEdit[];

/** What the service did: the id of the change, and the versions that its annotations have now. */
export interface Made {
  readonly changeId: string | null;
  readonly versionOf: (id: string) => number | null;
}

/** The most edits that wait. */
export const MOST_UNSENT = 1_000;

type Place = Pick<Edit, 'datasetId' | 'mediaId' | 'source'>;

export const isAtSamePlace = (one: Place, other: Place): boolean =>
  one.datasetId === other.datasetId && one.mediaId === other.mediaId && one.source === other.source;

const isAbout = (edit: UnsentEdit, place: Place, id: string): boolean =>
  isAtSamePlace(edit, place) && edit.changes.some((change) => change.id === id);

/** An edit of what an edit before it changes is sent with the version that comes of that one. */
export function withEdit(unsent: Unsent, edit: UnsentEdit): Unsent {
  const isChanged = ({ id }: Change) => unsent.some((earlier) => isAbout(earlier, edit, id));
  const changes = edit.changes.map((change) => (isChanged(change) ? { ...change, seen: null } : change));
  return [...unsent, { ...edit, changes }];
}

/** After the first edit was made: the next one of each of its annotations has seen the version that it has now. */
export function afterFirst([first, ...rest]: Unsent, { changeId, versionOf }: Made): Unsent {
  if (first === undefined) return [];
  const left = first.changes.reduce<Unsent>((edits, { id }) => withVersion(edits, first, id, versionOf(id)), rest);
  return left.map((edit) =>
    edit.undoes?.key === first.key ? { ...edit, undoes: { ...edit.undoes, changeId } } : edit,
  );
}

/** In the first edit that changes the annotation. */
function withVersion(unsent: Unsent, place: Place, id: string, seen: number | null): Unsent {
  const next = unsent.findIndex((edit) => isAbout(edit, place, id));
  return unsent.map((edit, at) =>
    at === next ? { ...edit, changes: edit.changes.map((each) => (each.id === id ? { ...each, seen } : each)) } : edit,
  );
}

/** Whether an annotation that is stored in another version is what the edit makes of it: then the answer to the edit was lost. */
export const isMade = ({ changes }: Edit, id: string, current: Annotation | null): boolean =>
  changes.some((change) => change.id === id && saysTheSame(change.after, current));

/** The first edit once more, of what is stored now; an annotation that is gone is added again. */
export function overwriting([first, ...rest]: Unsent, id: string, current: Annotation | null): Unsent {
  if (first === undefined) return [];
  const again = (change: Change): Change => ({ ...change, before: current, seen: current?.version ?? null });
  return [{ ...first, changes: first.changes.map((change) => (change.id === id ? again(change) : change)) }, ...rest];
}

/** Without the first edit, and later ones of the same annotations. */
export function withoutFirst([first, ...rest]: Unsent): Unsent {
  if (first === undefined) return [];
  const dropped = new Set(first.changes.map(({ id }) => id));
  return rest
    .map((edit) =>
      isAtSamePlace(edit, first) ? { ...edit, changes: edit.changes.filter(({ id }) => !dropped.has(id)) } : edit,
    )
    .filter(({ changes }) => changes.length > 0);
}

type EditedAnnotation = Pick<Annotation, 'media_id' | 'source' | 'version'> & Said;

/** The annotations of a picture with the edits that are not confirmed yet; those that no edit changes are the same objects. */
export function withUnsent<Each extends EditedAnnotation>(
  listed: readonly Each[],
  edits: Unsent,
  make: (annotation: EditedAnnotation) => Each,
): readonly Each[] {
  if (edits.length === 0) return listed;
  const nameOf = (source: string, id: string): string => JSON.stringify([source, id]);
  const all = new Map(listed.map((each) => [nameOf(each.source, each.id), each]));
  for (const { mediaId, source, changes } of edits)
    for (const { id, after } of changes) {
      const name = nameOf(source, id);
      if (after === null) all.delete(name);
      else all.set(name, make({ version: 0, ...all.get(name), ...after, media_id: mediaId, source }));
    }
  return [...all.values()];
}
