import { rectanglesOf, spansOf, type Mask, type Spans } from '../annotations/mask-rectangles';
import type { Size } from '../annotations/shapes';
import type { Place } from './shape-changes';

/** Rows from one to another, without the last, one pair after the other. */
type Column = number[];

/** Those of any of both, or of the first alone; spans that touch become one. */
export const withSpans = (one: Spans, other: Spans): Spans =>
  combined(one, other, (isIn, isInOther) => isIn || isInOther);
export const withoutSpans = (one: Spans, other: Spans): Spans =>
  combined(one, other, (isIn, isInOther) => isIn && !isInOther);

function combined(one: Spans, other: Spans, isKept: (isIn: boolean, isInOther: boolean) => boolean): Spans {
  const spans: number[] = [];
  let [at, to, was] = [0, 0, false];
  while (at < one.length || to < other.length) {
    const place = Math.min(one[at] ?? Infinity, other[to] ?? Infinity);
    while (one[at] === place) at += 1;
    while (other[to] === place) to += 1;
    const is = isKept(at % 2 === 1, to % 2 === 1);
    if (is !== was) spans.push(place);
    was = is;
  }
  return spans;
}

/** In the pixels of a picture, also if the mask has another size. */
export function spansIn(mask: Mask, size: Size): Spans {
  if (mask.width === size.width && mask.height === size.height) return spansOf(mask) ?? [];
  const [across, down] = [size.width / mask.width, size.height / mask.height];
  const columns = columnsOf(size);
  for (const [left, top, width, height] of rectanglesOf(mask))
    for (let x = firstAfter(left * across); x < firstAfter((left + width) * across); x += 1)
      addRows(columns[x]!, firstAfter(top * down), firstAfter((top + height) * down), size.height);
  return spansOfColumns(columns, size.height);
}

/** What a round brush covers on its way. */
export function painted(points: readonly Place[], radius: number, size: Size): Spans {
  const columns = columnsOf(size);
  points.forEach((to, at) => {
    const from = points[at - 1] ?? to;
    const begin = Math.max(0, firstAfter(Math.min(from.x, to.x) - radius));
    const end = Math.min(size.width, firstAfter(Math.max(from.x, to.x) + radius));
    for (let x = begin; x < end; x += 1) {
      const [top, bottom] = extentAt(x + 0.5, from, to, radius);
      addRows(columns[x]!, firstAfter(top), firstAfter(bottom), size.height);
    }
  });
  return spansOfColumns(columns, size.height);
}

/** What is inside of an odd number of rings, each with alternating x and y. */
export function inside(rings: readonly (readonly number[])[], size: Size): Spans {
  const columns = columnsOf(size);
  for (const ring of rings)
    for (let at = 0; at + 1 < ring.length; at += 2) {
      const [x, y] = [ring[at]!, ring[at + 1]!];
      const [nextX, nextY] = [ring[(at + 2) % ring.length]!, ring[(at + 3) % ring.length]!];
      const end = Math.min(size.width, firstAfter(Math.max(x, nextX)));
      for (let column = Math.max(0, firstAfter(Math.min(x, nextX))); column < end; column += 1)
        columns[column]!.push(y + ((column + 0.5 - x) * (nextY - y)) / (nextX - x));
    }
  const filled = columns.map((crossings) => {
    const rows: Column = [];
    crossings.sort((one, other) => one - other);
    for (let at = 0; at + 1 < crossings.length; at += 2)
      addRows(rows, firstAfter(crossings[at]!), firstAfter(crossings[at + 1]!), size.height);
    return rows;
  });
  return spansOfColumns(filled, size.height);
}

const columnsOf = ({ width }: Size): readonly Column[] => Array.from({ length: width }, () => []);

/** The first pixel whose middle is there or further on. */
const firstAfter = (place: number): number => Math.ceil(place - 0.5);

/** The rows of a column that follow each other mostly touch, and are one then. */
function addRows(column: Column, first: number, end: number, height: number): void {
  const [from, to] = [Math.max(0, first), Math.min(height, end)];
  if (from >= to) return;
  const last = column.length - 1;
  if (last > 0 && from <= column[last]! && to >= column[last - 1]!) {
    column[last - 1] = Math.min(column[last - 1]!, from);
    column[last] = Math.max(column[last]!, to);
  } else column.push(from, to);
}

/** The part of a column that a disc covers on the straight way between two places. */
function extentAt(x: number, from: Place, to: Place, radius: number): readonly [top: number, bottom: number] {
  let [top, bottom] = [Infinity, -Infinity];
  const reach = (y: number, more: number) => {
    top = Math.min(top, y - more);
    bottom = Math.max(bottom, y + more);
  };
  for (const { x: middle, y } of [from, to])
    if (Math.abs(x - middle) <= radius) reach(y, Math.sqrt(radius * radius - (x - middle) ** 2));
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (dx === 0) return [top, bottom];
  for (const side of [-radius, radius]) {
    const share = (x - from.x + (side * dy) / length) / dx;
    if (share >= 0 && share <= 1) reach(from.y + share * dy + (side * dx) / length, 0);
  }
  return [top, bottom];
}

function spansOfColumns(columns: readonly Column[], height: number): Spans {
  const spans: number[] = [];
  columns.forEach((column, x) => {
    const pairs: [number, number][] = [];
    for (let at = 0; at < column.length; at += 2) pairs.push([column[at]!, column[at + 1]!]);
    pairs.sort(([one], [other]) => one - other);
    for (const [from, to] of pairs) {
      const [begin, end] = [x * height + from, x * height + to];
      const last = spans.length - 1;
      if (last > 0 && begin <= spans[last]!) spans[last] = Math.max(spans[last]!, end);
      else spans.push(begin, end);
    }
  });
  return spans;
}
