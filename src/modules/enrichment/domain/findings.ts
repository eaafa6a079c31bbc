import {
  type EntityKind,
  type MediaRow,
  type Box,
  withGeneratedLabels,
} from '../../../common/engine/media-table/media-row';
import type { PictureFindings, FoundObject } from '../../../common/engine/models/picture-model';
import { plainText } from '../../../common/platform/text/texts';

const MOST_OBJECTS = 300;
const MAX_LABEL = 200;

type PictureSize = Pick<MediaRow, 'width' | 'height'>;

const fraction = (value: number): number => Math.min(Math.max(value, 0), 1);

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
  'TEXT_RECOGNITION',
  'MULTIMODEL_IMAGE_ENCODING',
  'IMAGE_ENCODING',
] as const satisfies readonly AppliedType[];

export const isStoredType = (type: string): type is (typeof STORED_TYPES)[number] =>
  STORED_TYPES.some((each) => each === type);

/** The kinds of rows that a model of each type looks at. */
export const KINDS_SEEN: Readonly<Record<AppliedType, readonly EntityKind[]>> = {
  CAPTION_IMAGES: ['IMAGE', 'FRAME'],
  IMAGE_TAGGING: ['IMAGE', 'FRAME'],
  TEXT_RECOGNITION: ['IMAGE', 'FRAME'],
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

/** The row with the finding of a model. Annotations of people stay. */
export function withFinding(row: MediaRow, type: AppliedType, finding: Finding | undefined): MediaRow {
  // A vector by the model that was applied before cannot be compared with those of this one.
  if (finding === undefined) return type === 'MULTIMODEL_IMAGE_ENCODING' ? { ...row, multimodalEmbedding: null } : row;
  const { found } = finding;
  switch (type) {
    case 'CAPTION_IMAGES':
    case 'CAPTION_OBJECTS':
      return withCaption(row, found === null || !('caption' in found) ? null : found.caption);
    case 'IMAGE_TAGGING':
      return withFoundLabels(row, finding);
    case 'TEXT_RECOGNITION':
      return { ...row, textLines: found !== null && 'lines' in found ? found.lines : null };
    case 'MULTIMODEL_IMAGE_ENCODING':
      return { ...row, multimodalEmbedding: found !== null && 'embedding' in found ? found.embedding : null };
    case 'IMAGE_ENCODING':
      return withEncoding(row, finding);
    case 'OBJECT_DETECTION':
      throw new Error('Objects that are found are rows of their own');
  }
}

/** A picture that the model refused has no vector: nothing is like it. */
export function withEncoding<Row extends Pick<MediaRow, 'embedding'>>(row: Row, { found }: Finding): Row {
  return { ...row, embedding: found !== null && 'embedding' in found ? found.embedding : null };
}

/** The row with the labels that a model found in it. */
export function withFoundLabels<Row extends Pick<MediaRow, 'labels' | 'generatedLabels'>>(
  row: Row,
  finding: Finding | undefined,
): Row {
  if (finding === undefined) return row;
  const { found } = finding;
  return withGeneratedLabels(row, found === null || !('labels' in found) ? null : found.labels);
}

function withCaption(row: MediaRow, generatedCaption: string | null): MediaRow {
  // What people wrote stays, and so does its vector; both are missing where the table is written, and made there.
  const captionEmbedding = row.caption === null ? null : row.captionEmbedding;
  return { ...row, generatedCaption, captionEmbedding, generatedCaptionEmbedding: null };
}

/** The surest objects of a detector that are in the picture and at least a pixel large. */
export function acceptedObjects(claimed: readonly FoundObject[], size: PictureSize): FoundObject[] {
  const accepted = claimed.flatMap(({ label, confidence, box }): FoundObject[] => {
    const text = plainText(label, MAX_LABEL);
    const clipped = inPicture(box, size);
    if (text === '' || Number.isNaN(confidence) || clipped === undefined) return [];
    return [{ label: text, confidence: fraction(confidence), box: clipped }];
  });
  return accepted.sort((a, b) => b.confidence - a.confidence).slice(0, MOST_OBJECTS);
}

function inPicture(box: Box, { width, height }: PictureSize): Box | undefined {
  const { x, y, width: across, height: down } = box;
  if (![x, y, across, down].every(Number.isFinite)) return undefined;
  const [left, top] = [fraction(x), fraction(y)];
  const clipped = { x: left, y: top, width: fraction(x + across) - left, height: fraction(y + down) - top };
  return clipped.width * width >= 1 && clipped.height * height >= 1 ? clipped : undefined;
}
