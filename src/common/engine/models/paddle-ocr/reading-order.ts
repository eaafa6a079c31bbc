import { foldText, wordsOf } from '../text-words';
import { heightOf, middleOf, type PlacedLine } from './placed-line';
import { cornersOf, type RotatedRectangle } from './rotated-rectangle';
import { bandsAtGutter } from './text-columns';

/** Lines whose middles differ by less than this share of their height are in a row. */
const SAME_ROW = 0.5;
const LETTER = /\p{L}/u;

interface ReadLine {
  readonly rectangle: RotatedRectangle;
  readonly text: string;
}

/**
 * From top to bottom, and from left to right within a row, on a page that is rotated as most of its text. Columns of running text are read one after
 * the other; the cells of a table are read row by row.
 */
export function inReadingOrder<Line extends ReadLine>(lines: readonly Line[]): Line[] {
  const angle = usualAngle(lines.map(({ rectangle }) => rectangle));
  return ordered(lines.map((line) => placedOn(angle, line))).map(({ line }) => line);
}

function ordered<Line>(lines: readonly PlacedLine<Line>[]): PlacedLine<Line>[] {
  const bands = bandsAtGutter(lines);
  if (bands === undefined) return inRows(lines);
  return bands.flatMap((band) => ('columns' in band ? band.columns.flatMap(ordered) : ordered(band.rest)));
}

function inRows<Line>(lines: readonly PlacedLine<Line>[]): PlacedLine<Line>[] {
  const rows: PlacedLine<Line>[][] = [];
  for (const line of [...lines].sort((a, b) => middleOf(a) - middleOf(b))) {
    const row = rows.at(-1);
    const above = row?.at(-1);
    const isBeside = above && middleOf(line) - middleOf(above) < SAME_ROW * Math.min(heightOf(line), heightOf(above));
    if (row !== undefined && isBeside === true) row.push(line);
    else rows.push([line]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.left - b.left));
}

function placedOn<Line extends ReadLine>(angle: number, line: Line): PlacedLine<Line> {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const corners = cornersOf(line.rectangle);
  const across = corners.map(({ x, y }) => x * cos + y * sin);
  const down = corners.map(({ x, y }) => y * cos - x * sin);
  return {
    line,
    left: Math.min(...across),
    right: Math.max(...across),
    top: Math.min(...down),
    bottom: Math.max(...down),
    words: wordsOf(foldText(line.text)).filter((word) => LETTER.test(word)).length,
  };
}

/** The median of the angles, each with the weight of the line's width. */
function usualAngle(rectangles: readonly RotatedRectangle[]): number {
  const byAngle = [...rectangles].sort((a, b) => a.angle - b.angle);
  let left = byAngle.reduce((sum, { width }) => sum + width, 0) / 2;
  return byAngle.find(({ width }) => (left -= width) <= 0)?.angle ?? 0;
}
