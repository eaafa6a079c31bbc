import type { EntityKind } from '../../../common/engine/media-table/media-row';
import type { PictureFindings } from '../../../common/engine/models/picture-model';

/** The findings of models in a picture, by type. An image encoding replaces the vector by which pictures are compared. */
export interface Findings extends PictureFindings {
  readonly IMAGE_ENCODING: { readonly embedding: Float32Array };
}

export type AppliedType = keyof Findings;

/** The types whose results this version stores and searches. */
export const STORED_TYPES = [
  'CAPTION_IMAGES',
  'OBJECT_DETECTION',
  'CAPTION_OBJECTS',
  'IMAGE_TAGGING',
  'MULTIMODEL_IMAGE_ENCODING',
  'IMAGE_ENCODING',
] as const satisfies readonly AppliedType[];

export const isStoredType = (type: string): type is (typeof STORED_TYPES)[number] =>
  STORED_TYPES.some((each) => each === type);

/** The kinds of rows that a model of each type looks at. */
export const KINDS_SEEN: Readonly<Record<AppliedType, readonly EntityKind[]>> = {
  CAPTION_IMAGES: ['IMAGE', 'FRAME'],
  IMAGE_TAGGING: ['IMAGE', 'FRAME'],
  OBJECT_DETECTION: ['IMAGE', 'FRAME'],
  MULTIMODEL_IMAGE_ENCODING: ['IMAGE', 'FRAME', 'OBJECT'],
  CAPTION_OBJECTS: ['OBJECT'],
  IMAGE_ENCODING: ['IMAGE', 'FRAME', 'OBJECT'],
};

/** The finding of a model in one row; null if it refused the picture. */
export interface Finding<Type extends AppliedType = AppliedType> {
  readonly id: string;
  readonly found: Findings[Type] | null;
}
