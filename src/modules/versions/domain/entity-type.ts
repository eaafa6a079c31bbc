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
