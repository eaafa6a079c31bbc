import type { components } from 'dataset-media-service-sdk';
import { rectanglesOf, type Rectangle } from './mask-rectangles';

type MediaDetail = components['schemas']['MediaDetail'];
type Annotation = components['schemas']['Annotation'];
export type Shape = NonNullable<Annotation['shape']>;

export interface ShownAnnotation extends Pick<
  Annotation,
  | 'id'
  | 'media_id'
  | 'source'
  | 'label'
  | 'shape'
  | 'confidence'
  | 'area'
  | 'attributes'
  | 'crowd'
  | 'ignored'
  | 'track_id'
  | 'version'
> {
  /** Different for each, also in different pictures. */
  readonly key: string;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The picture that is shown: of an object, the one that it is on. */
export const sizeOf = (media: MediaDetail): Size => (media.type === 'OBJECT' ? (media.parent ?? media) : media);

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly isVisible: boolean;
}

/** Those that are labelled. */
export function pointsOf(numbers: readonly number[]): readonly Point[] {
  const points: Point[] = [];
  for (let at = 0; at + 2 < numbers.length; at += 3)
    if (numbers[at + 2]! > 0) points.push({ x: numbers[at]!, y: numbers[at + 1]!, isVisible: numbers[at + 2] === 2 });
  return points;
}

/** The path of the lines between points that are labelled. */
export const linesBetween = (numbers: readonly number[], edges: readonly (readonly number[])[]): string =>
  edges
    .filter((edge) => edge.every((point) => (numbers[3 * point + 2] ?? 0) > 0))
    .map(([from = 0, to = 0]) => `M${[from, to].map((at) => `${numbers[3 * at]} ${numbers[3 * at + 1]}`).join('L')}`)
    .join('');

const pathOf = (ring: readonly number[]): string => `M${ring.join(' ')}Z`;

function cornersOf({ x, y, width, height, rotation = 0 }: Extract<Shape, { type: 'box' }>): number[] {
  const [sin, cos] = [Math.sin((rotation * Math.PI) / 180), Math.cos((rotation * Math.PI) / 180)];
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].flatMap(([across, down]) => {
    const [dx, dy] = [(across! * width) / 2, (down! * height) / 2];
    return [middleX + dx * cos - dy * sin, middleY + dx * sin + dy * cos];
  });
}

/** The path of a box or polygon; empty for other shapes. */
export function outlineOf(shape: Shape): string {
  if (shape.type === 'box') return pathOf(cornersOf(shape));
  return shape.type === 'polygon' ? shape.rings.map(pathOf).join('') : '';
}

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boundsOfNumbers(numbers: readonly number[]): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    left = Math.min(left, numbers[at]!);
    right = Math.max(right, numbers[at]!);
    top = Math.min(top, numbers[at + 1]!);
    bottom = Math.max(bottom, numbers[at + 1]!);
  }
  return { left, top, right, bottom };
}

/** A filter makes new lists of the same masks. */
const known = new WeakMap<Shape, readonly Rectangle[]>();

/** In the pixels of the mask. */
export function filledBy(mask: Extract<Shape, { type: 'mask' }>): readonly Rectangle[] {
  const rectangles = known.get(mask) ?? rectanglesOf(mask);
  known.set(mask, rectangles);
  return rectangles;
}

/** Where the shape is, in pixels of the picture; undefined if there is nothing to draw. */
export function boundsOf(shape: Shape, picture: Size): Bounds | undefined {
  const bounds = boundsOfNumbers(numbersOf(shape, picture));
  return bounds.left <= bounds.right && bounds.top <= bounds.bottom ? bounds : undefined;
}

function numbersOf(shape: Shape, picture: Size): readonly number[] {
  switch (shape.type) {
    case 'box':
      return cornersOf(shape);
    case 'polygon':
      return shape.rings.flat();
    case 'keypoints':
      return pointsOf(shape.points).flatMap(({ x, y }) => [x, y]);
    case 'mask': {
      const [across, down] = [picture.width / shape.width, picture.height / shape.height];
      return filledBy(shape).flatMap(([x, y, width, height]) => [
        x * across,
        y * down,
        (x + width) * across,
        (y + height) * down,
      ]);
    }
  }
}
