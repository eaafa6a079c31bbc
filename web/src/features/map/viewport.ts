/** A place on the map, which is the unit square; x to the right, y down. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The visible part of the map: its centre, and the width of the whole map in pixels. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const MARGIN = 0.86;
const LEAST_ZOOM = -1;

/** The scale at which the whole map is in sight. */
export const fitScale = ({ width, height }: Size): number => Math.max(1, Math.min(width, height) * MARGIN);

export const fitted = (size: Size): View => ({ x: 0.5, y: 0.5, scale: fitScale(size) });

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** Keeps a part of the map in sight, at a scale that has something to show. */
export const clamped = ({ x, y, scale }: View, size: Size, mostScale: number): View => ({
  x: within(x, 0, 1),
  y: within(y, 0, 1),
  scale: within(scale, fitScale(size) * 2 ** LEAST_ZOOM, mostScale),
});

/** By pixels, as the pointer moves. */
export const panned = ({ x, y, scale }: View, across: number, down: number): View => ({
  x: x - across / scale,
  y: y - down / scale,
  scale,
});

export const toScreen = ({ x, y, scale }: View, { width, height }: Size, point: Point): Point => ({
  x: (point.x - x) * scale + width / 2,
  y: (point.y - y) * scale + height / 2,
});

export const toMap = ({ x, y, scale }: View, { width, height }: Size, point: Point): Point => ({
  x: x + (point.x - width / 2) / scale,
  y: y + (point.y - height / 2) / scale,
});

/** The given point stays in place. */
export function zoomedAt(view: View, size: Size, point: Point, wanted: number, mostScale: number): View {
  const scale = clamped({ ...view, scale: wanted }, size, mostScale).scale;
  const below = toMap(view, size, point);
  const x = below.x - (point.x - size.width / 2) / scale;
  const y = below.y - (point.y - size.height / 2) / scale;
  return clamped({ x, y, scale }, size, mostScale);
}

/** With a margin in pixels, for tiles that reach into sight. */
export function boxOf(view: View, size: Size, margin = 0): Box {
  const { x: left, y: top } = toMap(view, size, { x: -margin, y: -margin });
  const { x: right, y: bottom } = toMap(view, size, { x: size.width + margin, y: size.height + margin });
  return { left, top, right, bottom };
}

/** Doublings since the whole map was in sight: the same on a screen of any size. */
export const zoomOf = ({ scale }: View, size: Size): number => Math.log2(scale / fitScale(size));

export const scaleOf = (zoom: number, size: Size): number => fitScale(size) * 2 ** zoom;

const LEAST_POINT = 2.2;
const MOST_POINT = 13;

/** How many pixels a point is wide: small where they are many, and larger as they move apart. */
export function pointSize({ scale }: View, points: number): number {
  const apart = scale / Math.sqrt(Math.max(1, points));
  return within(1.6 * Math.sqrt(apart), LEAST_POINT, MOST_POINT);
}
