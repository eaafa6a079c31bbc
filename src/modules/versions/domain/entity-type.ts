import { ENTITY_KINDS, type EntityKind } from '../../../common/engine/media-table/media-row';

export const ENTITY_TYPES = ['IMAGES', 'OBJECTS', 'VIDEOS'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/** The kinds of rows of each type: images and video frames are clustered together; a video represents its frames. */
export const KINDS_OF: Readonly<Record<EntityType, readonly EntityKind[]>> = {
  IMAGES: ['IMAGE', 'FRAME'],
  OBJECTS: ['OBJECT'],
  VIDEOS: ['VIDEO', 'FRAME'],
};

/** A set of kinds, a bit for each kind's position. */
export type KindSet = number;

export const kindSet = (kinds: readonly EntityKind[]): KindSet =>
  kinds.reduce((set, kind) => set | (1 << ENTITY_KINDS.indexOf(kind)), 0);

/** Index of the first of the sorted values that is at least `value`. */
export function firstAtOrAbove(values: Int32Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
