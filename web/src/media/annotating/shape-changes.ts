import type { Shape, Size } from '../annotations/shapes';

export interface Place {
  readonly x: number;
  readonly y: number;
}

type Side = -1 | 0 | 1;

/** A part of a shape that can be dragged. */
export type Handle =
  | { readonly kind: 'side'; readonly across: Side; readonly down: Side }
  | { readonly kind: 'turn' }
  | { readonly kind: 'point'; readonly ring: number; readonly at: number }
  | { readonly kind: 'keypoint'; readonly at: number };

export interface PlacedHandle extends Place {
  readonly handle: Handle;
}

type Box = Extract<Shape, { type: 'box' }>;
type Polygon = Extract<Shape, { type: 'polygon' }>;
type Keypoints = Extract<Shape, { type: 'keypoints' }>;

/** Of the service: a ring with fewer encloses nothing. */
export const LEAST_POINTS = 3;
/** Parts of a pixel that are kept. */
const PARTS = 100;
const SNAP_DEGREES = 15;
const QUARTER = 90;
const HALF = 180;

const rounded = (value: number): number => Math.round(value * PARTS) / PARTS;
const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

export const onPicture = ({ x, y }: Place, { width, height }: Size): Place => ({
  x: rounded(within(x, 0, width)),
  y: rounded(within(y, 0, height)),
});

export function boxBetween(one: Place, other: Place): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const [width, height] = [Math.abs(one.x - other.x), Math.abs(one.y - other.y)];
  return { type: 'box', x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) };
}

export const polygonOf = (points: readonly Place[]): Polygon => ({
  type: 'polygon',
  rings: [points.flatMap(({ x, y }) => [rounded(x), rounded(y)])],
});

/** A point of a new shape; of keypoints, one may be left out. */
export interface DrawnPoint extends Place {
  readonly isAbsent?: true;
}

/** As many points as there are in the skeleton; those that are not drawn are not labelled. */
export const keypointsOf = (points: readonly DrawnPoint[], count: number): Keypoints => ({
  type: 'keypoints',
  points: Array.from({ length: Math.max(count, points.length) }, (_, at) => {
    const point = points[at];
    return point === undefined || point.isAbsent ? [0, 0, 0] : [rounded(point.x), rounded(point.y), 2];
  }).flat(),
});

/** The axes of a box, which may be rotated, and its middle. */
function frameOf({ x, y, width, height, rotation = 0 }: Box) {
  const angle = (rotation * Math.PI) / HALF;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const middle = { x: x + width / 2, y: y + height / 2 };
  /** A point by its distances from the middle along the axes. */
  const at = (across: number, down: number): Place => ({
    x: middle.x + across * cos - down * sin,
    y: middle.y + across * sin + down * cos,
  });
  return { cos, sin, middle, at };
}

const SIDES: readonly (readonly [Side, Side])[] = [
  [-1, -1],
  [0, -1],
  [1, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
];

/** What can be dragged; `gap` is the distance between a box and the handle that rotates it. */
export function handlesOf(shape: Shape, gap: number): readonly PlacedHandle[] {
  switch (shape.type) {
    case 'box': {
      const { at } = frameOf(shape);
      const sides = SIDES.map(([across, down]) => ({
        handle: { kind: 'side' as const, across, down },
        ...at((across * shape.width) / 2, (down * shape.height) / 2),
      }));
      return [...sides, { handle: { kind: 'turn' }, ...at(0, -shape.height / 2 - gap) }];
    }
    case 'polygon':
      return shape.rings.flatMap((ring, number) =>
        placesIn(ring, 2).map((place, at) => ({ handle: { kind: 'point' as const, ring: number, at }, ...place })),
      );
    case 'keypoints':
      return placesIn(shape.points, 3)
        .map((place, at) => ({ handle: { kind: 'keypoint' as const, at }, ...place }))
        .filter(({ handle: { at } }) => shape.points[3 * at + 2]! > 0);
    case 'mask':
      return [];
  }
}

function placesIn(numbers: readonly number[], each: number): readonly Place[] {
  const places: Place[] = [];
  for (let at = 0; at + each <= numbers.length; at += each) places.push({ x: numbers[at]!, y: numbers[at + 1]! });
  return places;
}

/** The shape after one of its handles was dragged; `snaps` rotates in steps. */
export function dragged(shape: Shape, handle: Handle, to: Place, size: Size, snaps = false): Shape {
  if (shape.type === 'box' && handle.kind === 'turn') return turned(shape, to, snaps);
  const place = onPicture(to, size);
  if (shape.type === 'box' && handle.kind === 'side') return resized(shape, handle, place);
  if (shape.type === 'polygon' && handle.kind === 'point') {
    const rings = shape.rings.map((ring, at) => (at === handle.ring ? withPlace(ring, 2 * handle.at, place) : ring));
    return { ...shape, rings };
  }
  if (shape.type === 'keypoints' && handle.kind === 'keypoint')
    return { ...shape, points: withPlace(shape.points, 3 * handle.at, place) };
  return shape;
}

const withPlace = (numbers: readonly number[], at: number, { x, y }: Place): number[] =>
  numbers.map((number, index) => (index === at ? x : index === at + 1 ? y : number));

/** The opposite side stays where it is. */
function resized(box: Box, { across, down }: Extract<Handle, { kind: 'side' }>, to: Place): Box {
  const { cos, sin, at } = frameOf(box);
  const fixed = at((-across * box.width) / 2, (-down * box.height) / 2);
  const [dx, dy] = [to.x - fixed.x, to.y - fixed.y];
  const along = across === 0 ? 0 : dx * cos + dy * sin;
  const aside = down === 0 ? 0 : dy * cos - dx * sin;
  const [width, height] = [across === 0 ? box.width : Math.abs(along), down === 0 ? box.height : Math.abs(aside)];
  const middleX = fixed.x + (along * cos - aside * sin) / 2;
  const middleY = fixed.y + (along * sin + aside * cos) / 2;
  return {
    ...box,
    x: rounded(middleX - width / 2),
    y: rounded(middleY - height / 2),
    width: rounded(width),
    height: rounded(height),
  };
}

function turned(box: Box, to: Place, snaps: boolean): Box {
  const { middle } = frameOf(box);
  const degrees = (Math.atan2(to.y - middle.y, to.x - middle.x) * HALF) / Math.PI + QUARTER;
  return withRotation(box, snaps ? Math.round(degrees / SNAP_DEGREES) * SNAP_DEGREES : degrees);
}

function withRotation({ type, x, y, width, height }: Box, degrees: number): Box {
  const box = { type, x, y, width, height };
  const whole = Math.round((((degrees % 360) + 360 + HALF) % 360) - HALF);
  return whole === 0 ? box : { ...box, rotation: whole };
}

export const turnedBy = (shape: Shape, degrees: number): Shape =>
  shape.type === 'box' ? withRotation(shape, (shape.rotation ?? 0) + degrees) : shape;

export interface Extent {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Moves it, but no further beyond the picture than it is; `bounds` are those of the shape. */
export function moved(shape: Shape, by: Place, bounds: Extent, { width, height }: Size): Shape {
  const dx = rounded(within(by.x, Math.min(0, -bounds.left), Math.max(0, width - bounds.right)));
  const dy = rounded(within(by.y, Math.min(0, -bounds.top), Math.max(0, height - bounds.bottom)));
  const shifted = (numbers: readonly number[], each: number): number[] =>
    numbers.map((number, at) =>
      at % each === 0 ? rounded(number + dx) : at % each === 1 ? rounded(number + dy) : number,
    );
  switch (shape.type) {
    case 'box':
      return { ...shape, x: rounded(shape.x + dx), y: rounded(shape.y + dy) };
    case 'polygon':
      return { ...shape, rings: shape.rings.map((ring) => shifted(ring, 2)) };
    case 'keypoints':
      return { ...shape, points: shifted(shape.points, 3) };
    case 'mask':
      return shape;
  }
}

/** Resizes a box at its right and lower side, for the keyboard. */
export function grown(box: Box, by: Place): Box {
  const { at } = frameOf(box);
  const size = { width: Math.max(1, rounded(box.width + by.x)), height: Math.max(1, rounded(box.height + by.y)) };
  const corner = at(-box.width / 2, -box.height / 2);
  const next = frameOf({ ...box, ...size }).at(-size.width / 2, -size.height / 2);
  return { ...box, ...size, x: rounded(box.x + corner.x - next.x), y: rounded(box.y + corner.y - next.y) };
}

/** A point of a polygon between two that follow each other. */
export function withPoint(
  polygon: Polygon,
  { ring, at }: { readonly ring: number; readonly at: number },
  { x, y }: Place,
): Polygon {
  const rings = polygon.rings.map((numbers, number) =>
    number === ring ? numbers.toSpliced(2 * (at + 1), 0, rounded(x), rounded(y)) : numbers,
  );
  return { ...polygon, rings };
}

/** Without a point; a ring that has no more than it needs goes with it, unless it is the only one. */
export function withoutPoint(shape: Shape, handle: Handle): Shape | undefined {
  if (shape.type === 'keypoints' && handle.kind === 'keypoint') {
    const points = shape.points.map((number, at) => (Math.floor(at / 3) === handle.at ? 0 : number));
    return points.some((number, at) => at % 3 === 2 && number > 0) ? { ...shape, points } : undefined;
  }
  if (shape.type !== 'polygon' || handle.kind !== 'point') return undefined;
  const rings = shape.rings
    .map((ring, number) => (number === handle.ring ? ring.toSpliced(2 * handle.at, 2) : ring))
    .filter(({ length }) => length >= 2 * LEAST_POINTS);
  return rings.length === 0 ? undefined : { ...shape, rings };
}

/** Of a keypoint: visible, hidden, and visible again. */
export function withVisibility(shape: Keypoints, at: number): Keypoints {
  const points = shape.points.map((number, index) => (index === 3 * at + 2 ? (number === 2 ? 1 : 2) : number));
  return { ...shape, points };
}
