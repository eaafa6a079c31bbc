/** Both from 0 to 1. */
export interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

/** The point nearest to a place, of points in any order. */
export function nearest<Point extends CurvePoint>(points: readonly Point[], x: number): Point | undefined {
  let [best, least]: [Point | undefined, number] = [undefined, Infinity];
  for (const point of points) {
    const distance = Math.abs(point.x - x);
    if (distance < least) [best, least] = [point, distance];
  }
  return best;
}

/** In a square whose y goes down. */
export const pathOf = (points: readonly CurvePoint[]): string =>
  points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${1 - y}`).join('');
