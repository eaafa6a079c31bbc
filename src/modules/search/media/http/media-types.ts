import { ENTITY_KINDS, type EntityKind } from '../../../../common/engine/media-table/media-row';

/** Names of kinds in the API. */
export const MEDIA_TYPES = {
  IMAGE: 'image',
  VIDEO: 'video',
  FRAME: 'video_frame',
  OBJECT: 'object',
} as const satisfies Record<EntityKind, string>;

export const MEDIA_TYPE_NAMES = ENTITY_KINDS.map((kind) => MEDIA_TYPES[kind]);
