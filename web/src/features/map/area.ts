import type { VqlFilter } from 'dataset-media-service-sdk';
import type { Box, Point } from './viewport';

/** Of the API. */
const MOST_CORNERS = 256;
const LEAST_CORNERS = 3;
/** Of a corner, so that addresses stay short. */
const DIGITS = 5;

function distanceFrom(point: Point, from: Point, to: Point): number {
  const [across, down] = [to.x - from.x, to.y - from.y];
  const squared = across ** 2 + down ** 2;
  const along = squared === 0 ? 0 : ((point.x - from.x) * across + (point.y - from.y) * down) / squared;
  const at = Math.max(0, Math.min(1, along));
  return Math.hypot(point.x - from.x - at * across, point.y - from.y - at * down);
}

/** The line without the points that lie within the tolerance of it, by Douglas and Peucker. */
export function simplified(line: readonly Point[], tolerance: number): readonly Point[] {
  const keeps = new Set([0, line.length - 1]);
  const parts: (readonly [number, number])[] = [[0, line.length - 1]];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const [first, last] = part;
    let [farthest, most] = [-1, tolerance];
    for (let at = first + 1; at < last; at += 1) {
      const distance = distanceFrom(line[at]!, line[first]!, line[last]!);
      if (distance > most) [farthest, most] = [at, distance];
    }
    if (farthest < 0) continue;
    keeps.add(farthest);
    parts.push([first, farthest], [farthest, last]);
  }
  return line.filter((_, at) => keeps.has(at));
}

const rounded = (value: number): number => Number(Math.max(0, Math.min(1, value)).toFixed(DIGITS));

/** A line that was drawn around something, as a polygon that the service takes; undefined if it is not one. */
export function areaOf(line: readonly Point[], tolerance: number): readonly Point[] | undefined {
  let corners = line;
  for (let most = tolerance; corners === line || corners.length > MOST_CORNERS; most *= 2)
    corners = simplified(line, most);
  const polygon = corners
    .map(({ x, y }) => ({ x: rounded(x), y: rounded(y) }))
    .filter(({ x, y }, at, all) => at === 0 || x !== all[at - 1]!.x || y !== all[at - 1]!.y);
  const [left, top] = [Math.min(...polygon.map(({ x }) => x)), Math.min(...polygon.map(({ y }) => y))];
  const isFlat = polygon.every(({ x }) => x === left) || polygon.every(({ y }) => y === top);
  return polygon.length < LEAST_CORNERS || isFlat ? undefined : polygon;
}

export const rectangleOf = ({ left, top, right, bottom }: Box): readonly Point[] => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];

const isCorner = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'number');

/** The corners of a filter by area; undefined of other filters. */
export function areaIn(filter: VqlFilter): readonly Point[] | undefined {
  const { map_area: area } = filter as { readonly map_area?: { readonly op?: unknown; readonly value?: unknown } };
  if (area?.op !== 'in' || !Array.isArray(area.value) || !area.value.every(isCorner)) return undefined;
  return area.value.map(([x, y]) => ({ x, y }));
}

/** The other filters, and this area in the place of any before; none without corners. */
export function withArea(filters: readonly VqlFilter[], corners: readonly Point[] | null): readonly VqlFilter[] {
  const others = filters.filter((filter) => areaIn(filter) === undefined);
  if (corners === null) return others;
  return [...others, { map_area: { op: 'in', value: corners.map(({ x, y }) => [x, y]) } }];
}
