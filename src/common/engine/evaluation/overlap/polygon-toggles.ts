import type { PictureSize } from '../picture-matcher';
import { difference, union, withoutPairs, type Toggles } from './toggles';

type Ring = readonly number[];

/** Of the grid in which COCO's tools draw the border of a polygon. */
const FINER = 5;
/** A border of more steps leaves its picture, or fills it many times. */
const MODEST_STEPS = 2 ** 20;
const MOST_STEPS = 2 ** 25;
/** Putting so many toggles together takes as long as a step. */
const TOGGLES_OF_STEP = 8;

/**
 * The pixels of a polygon, exactly as COCO's tools draw each ring; several are together what any of them covers, but a ring in another one is a hole, and a ring in
 * a hole is not. Undefined if that takes too many steps.
 */
export function togglesOfPolygon(rings: readonly Ring[], picture: PictureSize): Toggles | undefined {
  const depths = depthsOf(rings);
  let covered: Toggles = [];
  let left = MOST_STEPS;
  for (let depth = 0; depth <= Math.max(...depths); depth++)
    for (const [at, ring] of rings.entries()) {
      if (depths[at] !== depth) continue;
      const border = borderOf(ring, picture);
      left -= stepsAround(border) + covered.length / TOGGLES_OF_STEP;
      if (left < 0) return undefined;
      const toggles = togglesOfBorder(border, picture);
      covered = depth % 2 === 0 ? union(covered, toggles) : difference(covered, toggles);
    }
  return covered;
}

/** In how many others each ring is. */
function depthsOf(rings: readonly Ring[]): number[] {
  if (rings.length === 1) return [0];
  const bounds = rings.map(boundsOf);
  return rings.map(
    (ring, at) =>
      rings.filter((other, place) => place !== at && isWithin(bounds[at]!, bounds[place]!) && liesIn(ring, other))
        .length,
  );
}

type Bounds = readonly [left: number, top: number, right: number, bottom: number];

function boundsOf(ring: Ring): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < ring.length; at += 2) {
    [left, right] = [Math.min(left, ring[at]!), Math.max(right, ring[at]!)];
    [top, bottom] = [Math.min(top, ring[at + 1]!), Math.max(bottom, ring[at + 1]!)];
  }
  return [left, top, right, bottom];
}

const isWithin = (inner: Bounds, outer: Bounds): boolean =>
  inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3];

/** Whether all points of a ring are inside of another one. */
function liesIn(ring: Ring, other: Ring): boolean {
  for (let at = 0; at < ring.length; at += 2) if (!isInside(ring[at]!, ring[at + 1]!, other)) return false;
  return true;
}

function isInside(x: number, y: number, ring: Ring): boolean {
  let inside = false;
  for (let [at, before] = [0, ring.length - 2]; at < ring.length; before = at, at += 2) {
    const [x0, y0, x1, y1] = [ring[before]!, ring[before + 1]!, ring[at]!, ring[at + 1]!];
    if (y0 > y !== y1 > y && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) inside = !inside;
  }
  return inside;
}

/** In the finer grid. */
function borderOf(ring: Ring, picture: PictureSize): Ring {
  const fine = inFineGrid(ring);
  return stepsAround(fine) > MODEST_STEPS ? inFineGrid(clipped(ring, picture)) : fine;
}

const inFineGrid = (ring: Ring): number[] => ring.map((value) => Math.trunc(FINER * value + 0.5));

/** Visits the points of each side, as a closed ring. */
function eachSide(ring: Ring, see: (x0: number, y0: number, x1: number, y1: number) => void): void {
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    see(ring[at]!, ring[at + 1]!, ring[next]!, ring[next + 1]!);
  }
}

function stepsAround(fine: Ring): number {
  let steps = 0;
  eachSide(fine, (x0, y0, x1, y1) => (steps += Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) + 1));
  return steps;
}

/** Walks along the border in the finer grid, and finds in each column of pixels where it passes. */
function togglesOfBorder(fine: Ring, { width, height }: PictureSize): Toggles {
  const places: number[] = [];
  let [lastX, lastY] = [NaN, NaN];
  const step = (x: number, y: number): void => {
    if (x !== lastX && !Number.isNaN(lastX)) {
      const column = ((x < lastX ? x : x - 1) + 0.5) / FINER - 0.5;
      if (Number.isInteger(column) && column >= 0 && column <= width - 1) {
        const row = (Math.min(y, lastY) + 0.5) / FINER - 0.5;
        places.push(column * height + Math.ceil(Math.min(Math.max(row, 0), height)));
      }
    }
    [lastX, lastY] = [x, y];
  };
  eachSide(fine, (x0, y0, x1, y1) => walk(x0, y0, x1, y1, step));
  const toggles = withoutPairs(Float64Array.from(places).sort() as unknown as number[]);
  const total = width * height;
  if (toggles.length % 2 === 1 && toggles.at(-1) === total) toggles.pop();
  else if (toggles.length % 2 === 1) toggles.push(total);
  return toggles;
}

/** Always from the smaller to the larger end, so that two polygons with a common side leave no gap. */
function walk(x0: number, y0: number, x1: number, y1: number, step: (x: number, y: number) => void): void {
  const [dx, dy] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  const isFlat = dx >= dy;
  const isBackward = isFlat ? x0 > x1 : y0 > y1;
  const [xs, ys, xe, ye] = isBackward ? [x1, y1, x0, y0] : [x0, y0, x1, y1];
  const most = isFlat ? dx : dy;
  // A side without extent has no slope.
  const slope = most === 0 ? 0 : (isFlat ? ye - ys : xe - xs) / most;
  for (let d = 0; d <= most; d++) {
    const t = isBackward ? most - d : d;
    if (isFlat) step(xs + t, Math.trunc(ys + slope * t + 0.5));
    else step(Math.trunc(xs + slope * t + 0.5), ys + t);
  }
}

/** Cut at a frame around the picture. */
function clipped(ring: Ring, { width, height }: PictureSize): Ring {
  const cut = (points: Ring, axis: 0 | 1, border: number, side: 1 | -1): Ring => {
    const kept: number[] = [];
    eachSide(points, (x0, y0, x1, y1) => {
      const [from, to] = axis === 0 ? [x0, x1] : [y0, y1];
      const [isFromIn, isToIn] = [(from - border) * side >= 0, (to - border) * side >= 0];
      if (isFromIn) kept.push(x0, y0);
      if (isFromIn === isToIn) return;
      const part = (border - from) / (to - from);
      if (axis === 0) kept.push(border, y0 + part * (y1 - y0));
      else kept.push(x0 + part * (x1 - x0), border);
    });
    return kept;
  };
  const left = cut(ring, 0, -1, 1);
  const right = cut(left, 0, width + 1, -1);
  return cut(cut(right, 1, -1, 1), 1, height + 1, -1);
}
