import { besideShare, heightOf, middleOf, type PlacedLine, widthOf } from './placed-line';

/** Neighbours in a row, with the space between them. */
interface Gap<Line> {
  readonly before: PlacedLine<Line>;
  readonly after: PlacedLine<Line>;
}

/** Lines that follow each other down the page; `columns` are read one after the other. */
type Band<Line> =
  { readonly columns: readonly (readonly PlacedLine<Line>[])[] } | { readonly rest: PlacedLine<Line>[] };

/** Lines are beside each other if they share this part of their height. */
const BESIDE = 0.3;
/** Fewer lines beside each other are read as rows. */
const LEAST_ROWS = 3;
/**
 * Most lines of a column of running text have so many words, are so many times as wide as high, and fill this share of the column. The cells of a
 * table lack one of these.
 */
const LEAST_WORDS = 2;
const LEAST_RATIO = 6;
const LEAST_FILL = 0.75;
/** A space down the page that is this many times as high as a line ends columns, if what follows is none. */
const WIDE_SPACE = 2.5;
/** Bounds the time for a picture full of scattered text. */
const MOST_TRIED = 8;

/**
 * Divides lines at a gutter, a space between two columns of running text: into bands from top to bottom, of which those with text across the gutter
 * have no columns there. Undefined without a gutter.
 */
export function bandsAtGutter<Line>(lines: readonly PlacedLine<Line>[]): Band<Line>[] | undefined {
  const gaps = gapsIn(lines);
  for (const at of guttersAmong(gaps)) {
    const bands = bandsAt(at, lines, gaps);
    if (bands.some((band) => 'columns' in band)) return bands;
  }
  return undefined;
}

function gapsIn<Line>(lines: readonly PlacedLine<Line>[]): Gap<Line>[] {
  return lines.flatMap((before) => {
    let after: PlacedLine<Line> | undefined;
    for (const other of lines) {
      const isRight = other.left >= before.right && besideShare(before, other) > BESIDE;
      if (isRight && (after === undefined || other.left < after.left)) after = other;
    }
    return after === undefined ? [] : [{ before, after }];
  });
}

const isIn = (at: number, { before, after }: Gap<unknown>): boolean => before.right <= at && at <= after.left;

/** Places that are in the gaps of many rows, those in most first. */
function guttersAmong(gaps: readonly Gap<unknown>[]): number[] {
  const places = gaps
    .map((gap) => ({ gap, at: (gap.before.right + gap.after.left) / 2 }))
    .map(({ gap, at }) => ({ gap, at, rows: gaps.filter((other) => isIn(at, other)).length }))
    .filter(({ rows }) => rows >= LEAST_ROWS)
    .sort((a, b) => b.rows - a.rows);
  const found: number[] = [];
  for (const { gap, at } of places)
    if (found.length < MOST_TRIED && !found.some((other) => isIn(other, gap))) found.push(at);
  return found;
}

function bandsAt<Line>(at: number, lines: readonly PlacedLine<Line>[], gaps: readonly Gap<Line>[]): Band<Line>[] {
  const across = lines.filter(({ left, right }) => left < at && at < right);
  const isAcross = (line: PlacedLine<Line>): boolean => across.some((other) => besideShare(line, other) > BESIDE);
  const gapsHere = gaps.filter((gap) => isIn(at, gap));
  const runs = runsOf(lines, isAcross).map(({ run, isCrossed }) => ({
    run,
    hasColumns: !isCrossed && areColumns(run, gapsHere),
  }));
  return joined(runs, ({ hasColumns }) => hasColumns).map((some) => {
    const run = some.flatMap((each) => each.run);
    if (some[0]?.hasColumns !== true) return { rest: run };
    return { columns: [run.filter(({ right }) => right <= at), run.filter(({ left }) => left >= at)] };
  });
}

interface Run<Line> {
  readonly run: PlacedLine<Line>[];
  readonly isCrossed: boolean;
}

/** Lines that follow each other down the page without a wide space, and are all crossed or not. */
function runsOf<Line>(lines: readonly PlacedLine<Line>[], isAcross: (line: PlacedLine<Line>) => boolean): Run<Line>[] {
  const wide = WIDE_SPACE * median(lines.map(heightOf));
  const runs: Run<Line>[] = [];
  let bottom = -Infinity;
  for (const line of [...lines].sort((a, b) => middleOf(a) - middleOf(b))) {
    const isCrossed = isAcross(line);
    const last = runs.at(-1);
    if (last?.isCrossed === isCrossed && line.top - bottom < wide) last.run.push(line);
    else runs.push({ run: [line], isCrossed });
    bottom = Math.max(bottom, line.bottom);
  }
  return runs;
}

/** Groups of neighbours that are alike. */
function joined<Item>(items: readonly Item[], of: (item: Item) => boolean): Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && of(last[0]) === of(item)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

function areColumns<Line>(run: readonly PlacedLine<Line>[], gaps: readonly Gap<Line>[]): boolean {
  const lines = new Set(run);
  const inRun = gaps.filter(({ before, after }) => lines.has(before) && lines.has(after));
  const sides = [inRun.map(({ before }) => before), inRun.map(({ after }) => after)];
  return sides.every((side) => isRunningText([...new Set(side)]));
}

function isRunningText(lines: readonly PlacedLine<unknown>[]): boolean {
  if (lines.length < LEAST_ROWS) return false;
  const extent = Math.max(...lines.map(({ right }) => right)) - Math.min(...lines.map(({ left }) => left));
  const usual = median(lines.map(widthOf));
  const isLong = usual >= LEAST_RATIO * median(lines.map(heightOf)) && usual >= LEAST_FILL * extent;
  return isLong && median(lines.map(({ words }) => words)) >= LEAST_WORDS;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;
