/** In pixels; y points down. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle whose width runs in the direction of `angle`, in radians clockwise from the x axis. */
export interface RotatedRectangle extends Point {
  readonly width: number;
  readonly height: number;
  readonly angle: number;
}

const cross = (a: Point, b: Point, c: Point): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);

/** Of points that are ordered by y, and by x where y is equal; without points on the edges. */
export function convexHull(points: readonly Point[]): Point[] {
  const side = (ordered: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length > 1 && cross(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return points.length < 3 ? [...points] : [...side(points), ...side([...points].reverse())];
}

/** The rectangle of the smallest area around a convex hull. Its angle is the nearest to 0, from -45 to 45 degrees. */
export function smallestRectangle(hull: readonly Point[]): RotatedRectangle {
  let smallest: RotatedRectangle | undefined;
  for (const [at, point] of hull.entries()) {
    const next = hull[(at + 1) % hull.length]!;
    const rectangle = rectangleAt(hull, nearestToZero(Math.atan2(next.y - point.y, next.x - point.x)));
    if (smallest === undefined || areaOf(rectangle) < areaOf(smallest)) smallest = rectangle;
  }
  return smallest!;
}

const areaOf = ({ width, height }: RotatedRectangle): number => width * height;

/** The sides of a rectangle have the same directions after a quarter turn. */
function nearestToZero(angle: number): number {
  const quarter = Math.PI / 2;
  return angle - Math.round(angle / quarter) * quarter;
}

function rectangleAt(hull: readonly Point[], angle: number): RotatedRectangle {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [left, right] = extent(hull.map(({ x, y }) => x * cos + y * sin));
  const [top, bottom] = extent(hull.map(({ x, y }) => y * cos - x * sin));
  const [across, down] = [(left + right) / 2, (top + bottom) / 2];
  return {
    x: across * cos - down * sin,
    y: across * sin + down * cos,
    width: right - left,
    height: bottom - top,
    angle,
  };
}

const extent = (values: readonly number[]): [number, number] => [
  values.reduce((least, value) => Math.min(least, value), Infinity),
  values.reduce((most, value) => Math.max(most, value), -Infinity),
];

/** Clockwise, from the start of the upper edge. */
export function cornersOf({ x, y, width, height, angle }: RotatedRectangle): [Point, Point, Point, Point] {
  const [cos, sin] = [Math.cos(angle) / 2, Math.sin(angle) / 2];
  const corner = (across: number, down: number): Point => ({
    x: x + across * width * cos - down * height * sin,
    y: y + across * width * sin + down * height * cos,
  });
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}

/** The same rectangle, read in a direction that is `quarters` quarter turns further clockwise. */
export const turned = (rectangle: RotatedRectangle, quarters: number): RotatedRectangle => ({
  ...rectangle,
  angle: rectangle.angle + (quarters * Math.PI) / 2,
  ...(quarters % 2 !== 0 && { width: rectangle.height, height: rectangle.width }),
});
