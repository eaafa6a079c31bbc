import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaField } from '../../../common/engine/media-table/media-schema';
import type { NamedTag } from '../../datasets';

export const ITEM_FIELDS = [
  'id',
  'kind',
  'parentId',
  'fileName',
  'path',
  'source',
  'sizeBytes',
  'width',
  'height',
  'frameTimestamp',
  'caption',
  'labels',
  'blurConfidence',
  'darkConfidence',
  'brightConfidence',
  'outlierConfidence',
  'uniqueness',
  'clusters',
] as const satisfies readonly MediaField[];

export const OBJECT_FIELDS = [
  'id',
  'box',
  'labels',
  'blurConfidence',
  'darkConfidence',
  'brightConfidence',
  'outlierConfidence',
  'uniqueness',
] as const satisfies readonly MediaField[];

export type ItemRow = Pick<MediaRow, (typeof ITEM_FIELDS)[number]>;
export type ObjectRow = Pick<MediaRow, (typeof OBJECT_FIELDS)[number]>;

/** A group of near duplicates that an item belongs to. */
export interface DuplicateMembership {
  readonly groupId: string;
  readonly similarity: number;
}

export interface MediaObject {
  readonly row: ObjectRow;
  readonly tags: readonly NamedTag[];
}

/** An image or a frame with all that is on it. */
export interface MediaItem {
  readonly row: ItemRow;
  readonly clusterId: string | null;
  readonly objects: readonly MediaObject[];
  readonly tags: readonly NamedTag[];
  readonly duplicates: DuplicateMembership | null;
  /** Below `images/`; null when the archive has no images or lacks this one. */
  readonly imageName: string | null;
  /** Why its image is not in the archive, though it was asked for. */
  readonly imageError: string | null;
}

export interface Issue {
  readonly type: string;
  readonly confidence: number;
}

export const issuesOf = (row: Omit<ObjectRow, 'id' | 'box' | 'labels' | 'uniqueness'>): Issue[] =>
  [
    { type: 'blur', confidence: row.blurConfidence },
    { type: 'dark', confidence: row.darkConfidence },
    { type: 'bright', confidence: row.brightConfidence },
    { type: 'outliers', confidence: row.outlierConfidence },
  ].filter(({ confidence }) => confidence > 0);
