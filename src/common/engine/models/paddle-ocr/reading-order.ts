import type { RotatedRectangle } from './rotated-rectangle';

/** Lines whose centres differ by less than this share of their height are beside each other. */
const SAME_ROW = 0.5;

interface Placed<Line> {
  readonly line: Line;
  readonly across: number;
  readonly down: number;
  readonly height: number;
}

/** From top to bottom, and from left to right within a row, on a page that is rotated as most of its text. */
export function inReadingOrder<Line extends { readonly rectangle: RotatedRectangle }>(lines: readonly Line[]): Line[] {
  const angle = usualAngle(lines.map(({ rectangle }) => rectangle));
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const placed = lines.map((line): Placed<Line> => {
    const { x, y, height } = line.rectangle;
    return { line, across: x * cos + y * sin, down: y * cos - x * sin, height };
  });
  const rows: Placed<Line>[][] = [];
  for (const each of placed.sort((a, b) => a.down - b.down)) {
    const row = rows.at(-1);
    const above = row?.at(-1);
    const isBeside = above && each.down - above.down < SAME_ROW * Math.min(each.height, above.height);
    if (row !== undefined && isBeside === true) row.push(each);
    else rows.push([each]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.across - b.across).map(({ line }) => line));
}

/** The median of the angles, each with the weight of the line's width. */
function usualAngle(rectangles: readonly RotatedRectangle[]): number {
  const ordered = [...rectangles].sort((a, b) => a.angle - b.angle);
  let left = ordered.reduce((sum, { width }) => sum + width, 0) / 2;
  return ordered.find(({ width }) => (left -= width) <= 0)?.angle ?? 0;
}
