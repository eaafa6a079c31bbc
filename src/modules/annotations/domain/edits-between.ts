import type { Annotation } from '../../../common/engine/annotations/annotation';
import type { Edit, SourceMode } from './source-change';

/** What made the annotations of a picture from those before, to be done again to others. */
export function editsBetween(before: readonly Annotation[], after: readonly Annotation[], mode: SourceMode): Edit[] {
  const known = new Map(before.map((annotation) => [annotation.id, annotation]));
  const made = after.flatMap(({ version, ...given }): Edit[] => {
    const was = known.get(given.id);
    known.delete(given.id);
    if (was === undefined) return [{ kind: mode === 'merge' ? 'merge' : 'add', given }];
    return was.version === version ? [] : [{ kind: 'merge', given }];
  });
  return [...made, ...Array.from(known.keys(), (id): Edit => ({ kind: 'remove', given: { id } }))];
}
