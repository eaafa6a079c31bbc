/** A part of a picture, in fractions of it, as the API has them. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Nothing smaller can be searched by. */
export const SMALLEST = 0.03;
export const MIDDLE: Region = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** The region with these corners, as far as it is on the picture. */
export function between(a: Point, b: Point): Region {
  const [left, right] = [within(Math.min(a.x, b.x), 0, 1), within(Math.max(a.x, b.x), 0, 1)];
  const [top, bottom] = [within(Math.min(a.y, b.y), 0, 1), within(Math.max(a.y, b.y), 0, 1)];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export const isLargeEnough = ({ width, height }: Region): boolean => width >= SMALLEST && height >= SMALLEST;

/** Moves it within the picture. */
export const movedBy = (region: Region, { x, y }: Point): Region => ({
  ...region,
  x: within(region.x + x, 0, 1 - region.width),
  y: within(region.y + y, 0, 1 - region.height),
});

/** Moves its right and lower edge. */
export const resizedBy = (region: Region, { x, y }: Point): Region => ({
  ...region,
  width: within(region.width + x, SMALLEST, 1 - region.x),
  height: within(region.height + y, SMALLEST, 1 - region.y),
});

export type Corner = 'nw' | 'ne' | 'sw' | 'se';
export const CORNERS: readonly Corner[] = ['nw', 'ne', 'sw', 'se'];

/** The corner that stays where it is while the other one is dragged. */
export const oppositeOf = ({ x, y, width, height }: Region, corner: Corner): Point => ({
  x: corner.endsWith('w') ? x + width : x,
  y: corner.startsWith('n') ? y + height : y,
});
