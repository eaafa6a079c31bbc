import type { AttributeValue, Mask } from '../annotations/annotation';
import { runsOf } from '../annotations/mask-runs';
import type { FileAnnotation, FilePicture, Skeleton } from './file-picture';
import { isSide, MAX_SIDE } from './mask-rows';

/** What is left out, and where. */
export interface FileFault {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** The number of an entry, from 1, where lines say nothing. */
  readonly entry?: number;
  readonly field?: string;
  readonly message: string;
}

/** Where a picture is described, for faults. */
export type FilePlace = Pick<FileFault, 'file' | 'line' | 'entry'>;

export type FromFile =
  /** Skeletons are those of labels; they come without annotations. */
  | (FilePicture & { readonly from: FilePlace; readonly skeletons?: readonly Skeleton[] })
  | { readonly fault: FileFault };

/** A value that is not as it should be. */
export interface ValueFault {
  readonly field: string;
  readonly message: string;
}

const MAX_COORDINATE = 1e7;
const MAX_LABEL = 256;
const MAX_ID = 128;
const MAX_RINGS = 1_000;
const MAX_NUMBERS = 40_000;
const MAX_COUNTS = 1_000_000;
const MAX_ATTRIBUTES = 50;
const MAX_VALUE = 500;
const TRIPLE = 3;
const LEAST_OF_RING = 6;
const FULL_TURN = 360;

const NO_PIXELS = 'a coordinate is not a number of pixels';

const isCoordinate = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) <= MAX_COORDINATE;

/** Why an annotation cannot be stored; undefined if it can. */
export function faultOf(annotation: FileAnnotation): ValueFault | undefined {
  const { label, id, trackId, confidence, area } = annotation;
  if (label.trim() === '') return { field: 'label', message: 'there is no label' };
  if (label.length > MAX_LABEL) return { field: 'label', message: `it has more than ${MAX_LABEL} characters` };
  for (const [field, text] of [['id', id] as const, ['track', trackId] as const])
    if (text !== undefined && (text === '' || text.length > MAX_ID))
      return { field, message: `it does not have 1 to ${MAX_ID} characters` };
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1))
    return { field: 'confidence', message: 'it is not a number from 0 to 1' };
  if (area !== undefined && !(area >= 0 && area <= MAX_COORDINATE ** 2))
    return { field: 'area', message: 'it is not a number of square pixels' };
  return faultOfShape(annotation) ?? faultOfAttributes(annotation.attributes);
}

function faultOfShape({ box, rotation, polygon, mask, keypoints }: FileAnnotation): ValueFault | undefined {
  if (box !== undefined) {
    if ((box as readonly number[]).length !== 4 || !box.every(isCoordinate))
      return { field: 'box', message: NO_PIXELS };
    if (box[2] < 0 || box[3] < 0) return { field: 'box', message: 'its width or height is below 0' };
  }
  if (rotation !== undefined && !(Math.abs(rotation) <= FULL_TURN))
    return { field: 'rotation', message: 'it is not a number of degrees' };
  return (polygon && faultOfRings(polygon)) ?? (mask && faultOfMask(mask)) ?? (keypoints && faultOfPoints(keypoints));
}

function faultOfMask(mask: Mask): ValueFault | undefined {
  const field = 'mask';
  if (![mask.width, mask.height].every(isSide))
    return { field, message: `its width or height is not a number of pixels up to ${MAX_SIDE}` };
  return mask.counts.length > MAX_COUNTS || runsOf(mask) === undefined
    ? { field, message: 'its run lengths do not fill its width and height' }
    : undefined;
}

function faultOfRings(rings: readonly (readonly number[])[]): ValueFault | undefined {
  const field = 'polygon';
  if (rings.length === 0 || rings.some(({ length }) => length < LEAST_OF_RING || length % 2 !== 0))
    return { field, message: 'a ring does not have an x and a y for three points or more' };
  if (rings.length > MAX_RINGS || rings.reduce((sum, { length }) => sum + length, 0) > MAX_NUMBERS)
    return { field, message: `it has more than ${MAX_RINGS} rings or ${MAX_NUMBERS / 2} points` };
  return rings.every((ring) => ring.every(isCoordinate)) ? undefined : { field, message: NO_PIXELS };
}

function faultOfPoints(points: readonly number[]): ValueFault | undefined {
  const field = 'keypoints';
  if (points.length === 0 || points.length % TRIPLE !== 0 || points.length > MAX_NUMBERS)
    return { field, message: 'they do not have x, y and visibility each' };
  if (!points.every(isCoordinate)) return { field, message: NO_PIXELS };
  return points.every((value, at) => at % TRIPLE !== 2 || [0, 1, 2].includes(value))
    ? undefined
    : { field, message: 'a visibility is not 0, 1 or 2' };
}

function faultOfAttributes(attributes: FileAnnotation['attributes'] = {}): ValueFault | undefined {
  const entries = Object.entries(attributes);
  if (entries.length > MAX_ATTRIBUTES)
    return { field: 'attributes', message: `there are more than ${MAX_ATTRIBUTES} of them` };
  const isShort = ([name, value]: [string, AttributeValue]): boolean =>
    name !== '' && name.length <= MAX_ID && String(value).length <= MAX_VALUE;
  return entries.every(isShort) ? undefined : { field: 'attributes', message: 'one has too many characters' };
}
