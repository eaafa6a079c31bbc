import type { BoxNumbers, Mask, Shape } from '../annotations/annotation';
import { runsOf } from '../annotations/mask-runs';
import type { FilePicture } from './file-picture';
import { coveredSpans, linesWithNeighbours, without } from './mask-lines';

type Ring = readonly number[];

const TRIPLE = 3;
const POINT = 2;
/** Of turned points, whose sine is not exact. */
const DECIMALS = 9;

/** Removes floating-point noise. */
export const exact = (value: number): number => Number(value.toPrecision(12));

/** The corners of a box, clockwise from the upper left one. */
export function cornersOf([x, y, width, height]: BoxNumbers, rotation = 0): number[] {
  const corners = [x, y, x + width, y, x + width, y + height, x, y + height];
  if (rotation === 0) return corners;
  return rotatedAround(corners, [x + width / 2, y + height / 2], rotation);
}

/** Turns points clockwise. */
export const rotatedAround = (points: Ring, centre: readonly [number, number], degrees: number): number[] =>
  turnedAround(points, centre, degrees).map((value) => Number(value.toFixed(DECIMALS)) + 0);

/** The same without rounding, so that turning them back gives the same points. */
export function turnedAround(points: Ring, [cx, cy]: readonly [number, number], degrees: number): number[] {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return points.map((value, at) => {
    const [dx, dy] = at % POINT === 0 ? [value - cx, points[at + 1]! - cy] : [points[at - 1]! - cx, value - cy];
    return at % POINT === 0 ? cx + dx * cos - dy * sin : cy + dx * sin + dy * cos;
  });
}

/** The deviation of so many corners is below a thousandth of the radius. */
const CORNERS_OF_ELLIPSE = 72;

/** An ellipse that is turned clockwise around its centre, as a polygon. */
export function ringOfEllipse(cx: number, cy: number, rx: number, ry: number, degrees = 0): number[] {
  const ring = Array.from({ length: CORNERS_OF_ELLIPSE }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / CORNERS_OF_ELLIPSE;
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)];
  });
  return rotatedAround(ring.flat(), [cx, cy], degrees);
}

function around(points: Iterable<readonly [x: number, y: number]>): BoxNumbers | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
  }
  return right < left ? undefined : [left, top, exact(right - left), exact(bottom - top)];
}

function* pointsOf(ring: Ring, step = POINT): Generator<readonly [number, number]> {
  for (let at = 0; at < ring.length; at += step)
    if (step === POINT || ring[at + POINT]! > 0) yield [ring[at]!, ring[at + 1]!];
}

function* pointsOfRings(rings: readonly Ring[]): Generator<readonly [number, number]> {
  for (const ring of rings) yield* pointsOf(ring);
}

/** Of a picture, if it is known. A mask of another size is stretched over it. */
type Size = Pick<FilePicture, 'width' | 'height'>;

const stretch = (mask: Mask, { width = mask.width, height = mask.height }: Size): readonly [x: number, y: number] => [
  width / mask.width,
  height / mask.height,
];

/** The upright box around a shape of a picture; undefined for one without extent, such as an empty mask. */
export function enclosingBox(
  { box, rotation, polygon, mask, keypoints }: Shape,
  picture: Size = {},
): BoxNumbers | undefined {
  if (box !== undefined) return rotation === undefined ? box : around(pointsOf(cornersOf(box, rotation)));
  if (polygon !== undefined) return around(pointsOfRings(polygon));
  if (mask !== undefined) return boxOfMask(mask, picture);
  return keypoints && around(pointsOf(keypoints, TRIPLE));
}

/** An upright shape without a mask, cut at the border of its picture; undefined if nothing of it is inside. Keypoints outside are no longer labelled. */
export function cutToPicture(shape: Shape, { width = Infinity, height = Infinity }: Size): Shape | undefined {
  const { box, polygon, keypoints } = shape;
  const isInside = ([x, y]: readonly [number, number]): boolean => x >= 0 && y >= 0 && x <= width && y <= height;
  const rings = [...(polygon ?? []), ...(box === undefined ? [] : [cornersOf(box)])];
  if ([...pointsOfRings(rings), ...pointsOf(keypoints ?? [], TRIPLE)].every(isInside)) return shape;
  const cut = (ring: Ring): number[] =>
    ring.map((value, at) => Math.min(Math.max(value, 0), at % POINT === 0 ? width : height));
  const labelled = keypoints?.map((value, at) => {
    const first = at - (at % TRIPLE);
    return isInside([keypoints[first]!, keypoints[first + 1]!]) ? value : 0;
  });
  const kept = {
    ...(polygon !== undefined && { polygon: polygon.map(cut) }),
    ...(box !== undefined && { box: around(pointsOf(cut(cornersOf(box))))! }),
    ...(labelled?.some((value) => value > 0) && { keypoints: labelled }),
  };
  const [, , w, h] = enclosingBox(kept) ?? [0, 0, 0, 0];
  return w > 0 && h > 0 ? kept : undefined;
}

function boxOfMask(mask: Mask, picture: Size): BoxNumbers | undefined {
  const { height } = mask;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [start, end] of coveredSpans(runsOf(mask) ?? [])) {
    const [first, last] = [Math.floor(start / height), Math.floor((end - 1) / height)];
    [left, right] = [Math.min(left, first), Math.max(right, last + 1)];
    [top, bottom] =
      first === last ? [Math.min(top, start % height), Math.max(bottom, ((end - 1) % height) + 1)] : [0, height];
  }
  const [x, y] = stretch(mask, picture);
  return right < left
    ? undefined
    : [exact(left * x), exact(top * y), exact((right - left) * x), exact((bottom - top) * y)];
}

/** The borders of the pixels of a mask of a picture: exactly its pixels are inside. */
export function ringsOfMask(mask: Mask, picture: Size = {}): number[][] {
  const next = new Map<number, number[]>();
  const side = mask.height + 1;
  const edge = (x0: number, y0: number, x1: number, y1: number): void => {
    const from = x0 * side + y0;
    const known = next.get(from);
    if (known === undefined) next.set(from, [x1 * side + y1]);
    else known.push(x1 * side + y1);
  };
  for (const [x, covered, before, after] of linesWithNeighbours(runsOf(mask) ?? [], mask.height)) {
    for (const [top, bottom] of covered) {
      edge(x, top, x + 1, top);
      edge(x + 1, bottom, x, bottom);
    }
    for (const [top, bottom] of without(covered, before)) edge(x, bottom, x, top);
    for (const [top, bottom] of without(covered, after)) edge(x + 1, top, x + 1, bottom);
  }
  const scales = stretch(mask, picture);
  return closedRings(next, side).map((ring) => ring.map((value, at) => exact(value * scales[at % POINT]!)));
}

/** Follows edges to closed rings; each edge belongs to one. */
function closedRings(next: Map<number, number[]>, side: number): number[][] {
  const rings: number[][] = [];
  for (const [start, ends] of next)
    while (ends.length > 0) {
      const ring: number[] = [];
      let at = start;
      do {
        ring.push(Math.floor(at / side), at % side);
        at = next.get(at)!.pop()!;
      } while (at !== start);
      rings.push(withoutStraightPoints(ring));
    }
  return rings;
}

function withoutStraightPoints(ring: Ring): number[] {
  const size = ring.length;
  const kept: number[] = [];
  for (let at = 0; at < size; at += POINT) {
    const [before, after] = [(at + size - POINT) % size, (at + POINT) % size];
    const isStraight =
      (ring[before] === ring[at] && ring[after] === ring[at]) ||
      (ring[before + 1] === ring[at + 1] && ring[after + 1] === ring[at + 1]);
    if (!isStraight) kept.push(ring[at]!, ring[at + 1]!);
  }
  return kept;
}

/** One ring with the same inside: it goes to the first point of each ring, around it and back. */
export function joined(rings: readonly Ring[]): Ring {
  const [first, ...others] = rings;
  if (others.length === 0) return first!;
  const [x, y] = [first![0]!, first![1]!];
  return [...first!, x, y, ...others.flatMap((ring) => [...ring, ring[0]!, ring[1]!, x, y])];
}

/** Whether a ring begins inside another one. */
export const hasHoles = (rings: readonly Ring[]): boolean =>
  rings.some((ring, at) => rings.some((other, place) => place !== at && isInside(ring[0]!, ring[1]!, other)));

function isInside(x: number, y: number, ring: Ring): boolean {
  let inside = false;
  for (const [[x0, y0], [x1, y1]] of edgesOf(ring))
    if (y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) inside = !inside;
  return inside;
}

function* edgesOf(ring: Ring): Generator<readonly [readonly [number, number], readonly [number, number]]> {
  for (let at = 0; at < ring.length; at += POINT) {
    const next = (at + POINT) % ring.length;
    yield [
      [ring[at]!, ring[at + 1]!],
      [ring[next]!, ring[next + 1]!],
    ];
  }
}
