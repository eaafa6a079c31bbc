import type { Annotation } from '../../../common/engine/annotations/annotation';
import type { MediaRow, Box } from '../../../common/engine/media-table/media-row';
import type { MediaField } from '../../../common/engine/media-table/media-schema';
import type { NamedTag } from '../../datasets';
import { ISSUE_FIELDS, issuesOf as measuredIssues } from '../../versions';

type PixelBox = readonly [x: number, y: number, width: number, height: number];

/** Whole pixels; a box smaller than a pixel has size 0. */
export const pixelBox = (box: Box, width: number, height: number): PixelBox => scaled(box, width, height, Math.round);

/** Removes floating-point noise. */
export const exactPixels = (value: number): number => Number(value.toPrecision(12));

/** Fractional pixels. */
export const exactPixelBox = (box: Box, width: number, height: number): PixelBox =>
  scaled(box, width, height, exactPixels);

const scaled = (box: Box, width: number, height: number, rounded: (value: number) => number): PixelBox => [
  rounded(box.x * width),
  rounded(box.y * height),
  rounded(box.width * width),
  rounded(box.height * height),
];

const KB = 1024;
const MB = KB * KB;

/** As `48.27KB` or `3.10MB`. */
export const fileSize = (bytes: number): string =>
  bytes < MB ? `${(bytes / KB).toFixed(2)}KB` : `${(bytes / MB).toFixed(2)}MB`;

const UNLABELLED = 'object';

export const classOf = ({ labels: [label] }: Pick<MediaRow, 'labels'>): string => label ?? UNLABELLED;

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
  'generatedCaption',
  'labels',
  'generatedLabels',
  'textLines',
  'customMetadata',
  'suggestedLabel',
  'uniqueness',
  ...ISSUE_FIELDS,
  'clusters',
] as const satisfies readonly MediaField[];

export const OBJECT_FIELDS = [
  'id',
  'box',
  'caption',
  'generatedCaption',
  'labels',
  'generatedLabels',
  'objectSource',
  'customMetadata',
  'suggestedLabel',
  'uniqueness',
  ...ISSUE_FIELDS,
] as const satisfies readonly MediaField[];

export type ItemRow = Pick<MediaRow, (typeof ITEM_FIELDS)[number]>;
export type ObjectRow = Pick<MediaRow, (typeof OBJECT_FIELDS)[number]>;

/** The near-duplicate group of an item. */
export interface DuplicateMembership {
  readonly groupId: string;
  readonly similarity: number;
}

export interface MediaObject {
  readonly row: ObjectRow;
  readonly tags: readonly NamedTag[];
}

/** An image or frame with its objects. */
export interface MediaItem {
  readonly row: ItemRow;
  readonly clusterId: string | null;
  readonly objects: readonly MediaObject[];
  readonly tags: readonly NamedTag[];
  /** Of the source of the export. */
  readonly annotations: readonly Annotation[];
  readonly duplicates: DuplicateMembership | null;
  /** Of the image, if the export has vectors. */
  readonly embedding: Float32Array | null;
  /** Name below `images/`; null if the archive does not contain the image. */
  readonly imageName: string | null;
  /** Why a requested image is not in the archive. */
  readonly imageError: string | null;
}

/** Others are in the export of the source that they were made of. */
export const objectsOfTable = ({ objects }: Pick<MediaItem, 'objects'>): readonly MediaObject[] =>
  objects.filter(({ row }) => row.objectSource === null);

export interface Issue {
  readonly type: string;
  readonly confidence: number;
  /** Of a mislabel, the label that similar media have; null if there is none. */
  readonly suggestedLabel?: string | null;
}

type IssueRow = Parameters<typeof measuredIssues>[0] & Pick<ObjectRow, 'suggestedLabel'>;

export const issuesOf = (row: IssueRow): Issue[] =>
  measuredIssues(row).map(({ issue, confidence }) => ({
    type: issue,
    confidence,
    ...(issue === 'mislabels' ? { suggestedLabel: row.suggestedLabel } : {}),
  }));
