import { type Annotation, shapeKindOf } from '../../../common/engine/annotations/annotation';
import { versionOfLabel } from '../../versions';

/** What people say about one picture. */
export interface PictureTruth {
  /** All of it, before labels or objects were written into the table. */
  readonly before: readonly Annotation[];
  /** What the table had of it, and has now. */
  readonly tableBefore: readonly Annotation[];
  readonly tableAfter: readonly Annotation[];
  /** Whether only the boxes of the table stay. */
  readonly replacesBoxes: boolean;
}

const isBox = (annotation: Annotation): boolean => shapeKindOf(annotation) === 'box';
const isLabel = (annotation: Annotation): boolean => shapeKindOf(annotation) === 'label';

/**
 * What people say after labels or objects were written into the table: what the table has, and shapes that it cannot have. Annotations that
 * have not changed keep their authors and versions.
 */
export function truthAfter({ before, tableBefore, tableAfter, replacesBoxes }: PictureTruth): Annotation[] {
  const known = new Map(before.map((annotation) => [annotation.id, annotation]));
  const labels = new Map(before.filter(isLabel).map((annotation) => [annotation.label, annotation]));
  const removed = new Set(tableBefore.filter(({ id }) => !known.has(id)).map(({ id }) => id));
  const ofTable = tableAfter.flatMap((annotation): Annotation[] => {
    if (isLabel(annotation)) return [labels.get(annotation.label) ?? annotation];
    if (removed.has(annotation.id)) return [];
    const earlier = known.get(annotation.id);
    if (earlier === undefined) return [annotation];
    const { label } = annotation;
    if (earlier.label === label) return [earlier];
    // A restored one that gets another label has another version, too.
    return [{ ...earlier, label, version: earlier.version + versionOfLabel(label) }];
  });
  const stays = new Set(ofTable.map(({ id }) => id));
  const inTable = new Set(tableBefore.map(({ id }) => id));
  const others = before.filter((annotation) => {
    if (isLabel(annotation) || stays.has(annotation.id)) return false;
    // Other shapes have objects at most.
    return !isBox(annotation) || !(replacesBoxes || inTable.has(annotation.id));
  });
  return [...ofTable, ...others];
}
