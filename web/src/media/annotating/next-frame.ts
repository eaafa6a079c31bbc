import { newId, saidOf, saysTheSame, type Change, type Said } from './edit';

/** What is new in the next frame; a track has one shape in each. */
export function copiedTo(there: readonly Said[], shapes: readonly Said[]): readonly Change[] {
  const isThere = (said: Said): boolean =>
    there.some(
      (each) =>
        (said.track_id !== null && each.track_id === said.track_id) || saysTheSame({ ...each, id: said.id }, said),
    );
  return shapes
    .map((shape): Said => ({ ...saidOf(shape), id: newId(), confidence: null }))
    .filter((said) => !isThere(said))
    .map((said) => ({ id: said.id, before: null, after: said, seen: null }));
}
