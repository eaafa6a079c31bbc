import type { Mask } from '../annotations/annotation';
import { runsOf, textOfRuns } from '../annotations/mask-runs';
import { enclosingBox } from './convert-shapes';
import { linesWithNeighbours, partsInLines, without, type Span } from './mask-lines';

/** Of a mask, in pixels. */
export const MAX_SIDE = 65_535;
const MAX_PIXELS = 2 ** 28;
/** Stripes down a picture have few in columns and millions in rows. */
const MAX_RUNS = 100_000;
/** More do not fit into the text of a mask. */
const MAX_READ_RUNS = 1_000_000;

export const isSide = (pixels: number): boolean => Number.isInteger(pixels) && pixels > 0 && pixels <= MAX_SIDE;

/** Of a bitmap in rows. */
export const isBitmapSize = (width: number, height: number): boolean =>
  isSide(width) && isSide(height) && width * height <= MAX_PIXELS;

/** Whether a mask of a picture has a modest number of runs in rows. */
export function isModestInRows(mask: Mask): boolean {
  if (!isBitmapSize(mask.width, mask.height)) return false;
  let count = 0;
  for (const [, covered, before] of linesWithNeighbours(runsOf(mask) ?? [], mask.height)) {
    for (const [top, bottom] of without(covered, before)) count += bottom - top;
    if (count > MAX_RUNS) return false;
  }
  return true;
}

/** Where a mask is set, counted along its rows. */
export const spansInRows = (mask: Mask): Span[] => transposed(runsOf(mask) ?? [], mask.height, mask.width)!;

/** The mask that is set at these places, counted along its rows; undefined if there are too many of them. */
export function maskOfRows(spans: Iterable<Span>, width: number, height: number): Mask | undefined {
  const inColumns = transposed(runsOfSpans(spans, width * height), width, height, MAX_READ_RUNS);
  return inColumns && { width, height, counts: textOfRuns(runsOfSpans(inColumns, width * height)) };
}

/** A part of a picture, in pixels. */
export interface Part {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The mask of a picture that is set at these places of a part of it, counted along the rows of the part; undefined if the part is not inside. */
export function maskOfPart(
  spans: Iterable<Span>,
  { left, top, width, height }: Part,
  size: { readonly width: number; readonly height: number },
): Mask | undefined {
  const isInside =
    [left, top].every((side) => Number.isInteger(side) && side >= 0) &&
    left + width <= size.width &&
    top + height <= size.height;
  if (!isInside || !isBitmapSize(width, height) || !isBitmapSize(size.width, size.height)) return undefined;
  const inRows = function* (): Generator<Span> {
    for (const [line, start, end] of partsInLines(spans, width)) {
      const first = (top + line) * size.width + left;
      yield [first + start, first + end];
    }
  };
  return maskOfRows(inRows(), size.width, size.height);
}

/** The part of its picture that is around a mask, and where the mask is set, counted along the rows of the part. */
export function partAround(mask: Mask): Part & { readonly spans: readonly Span[] } {
  const [left, top, width, height] = enclosingBox({ mask }) ?? [0, 0, 1, 1];
  const inPart = (at: number): number => (Math.floor(at / mask.width) - top) * width + (at % mask.width) - left;
  const spans = spansInRows(mask).map(([start, end]) => [inPart(start), inPart(end - 1) + 1] as const);
  return { left, top, width, height, spans };
}

/** Ordered spans as run lengths, beginning with what is not set; a span that begins where the one before ends continues it. */
export function runsOfSpans(spans: Iterable<Span>, total: number): number[] {
  const runs: number[] = [];
  let at = 0;
  for (const [start, end] of spans) {
    if (start === at && at > 0) runs[runs.length - 1]! += end - start;
    else runs.push(start - at, end - start);
    at = end;
  }
  if (at < total) runs.push(total - at);
  return runs;
}

/** The same bitmap by its other lines. */
function transposed(runs: readonly number[], length: number, lines: number, most = Infinity): Span[] | undefined {
  const borders: number[][] = [];
  let count = 0;
  const add = (spans: readonly Span[], line: number): void => {
    for (const [from, to] of spans) {
      count += to - from;
      if (count > 2 * most) return;
      for (let at = from; at < to; at++) (borders[at] ??= []).push(line);
    }
  };
  for (const [line, covered, before, after] of linesWithNeighbours(runs, length)) {
    add(without(covered, before), line);
    add(without(covered, after), line + 1);
    if (count > 2 * most) return undefined;
  }
  return borders.flatMap((own, place) =>
    Array.from({ length: own.length / 2 }, (_, at): Span => [
      place * lines + own[2 * at]!,
      place * lines + own[2 * at + 1]!,
    ]),
  );
}
