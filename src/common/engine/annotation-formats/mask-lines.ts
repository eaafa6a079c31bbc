/** From a pixel to the one before another. */
export type Span = readonly [start: number, end: number];

/** Where a bitmap is set, by its run lengths. A run of no zeros divides nothing. */
export function* coveredSpans(runs: readonly number[]): Generator<Span> {
  let [at, start] = [0, 0];
  for (const [place, run] of runs.entries()) {
    if (place % 2 === 0 && run > 0) {
      if (at > start) yield [start, at];
      start = at + run;
    }
    at += run;
  }
  if (at > start) yield [start, at];
}

/** The parts of spans by the line that they are in. Lines follow each other in the runs. */
export function* partsInLines(
  spans: Iterable<Span>,
  length: number,
): Generator<readonly [line: number, start: number, end: number]> {
  for (const [start, end] of spans)
    for (let from = start; from < end;) {
      const line = Math.floor(from / length);
      const to = Math.min(end, (line + 1) * length);
      yield [line, from - line * length, to - line * length];
      from = to;
    }
}

/** The spans of each line that has some, with those of the lines beside it. */
export function* linesWithNeighbours(
  runs: readonly number[],
  length: number,
): Generator<readonly [line: number, covered: readonly Span[], before: readonly Span[], after: readonly Span[]]> {
  const lines = new Map<number, Span[]>();
  for (const [line, start, end] of partsInLines(coveredSpans(runs), length)) {
    const spans = lines.get(line) ?? [];
    spans.push([start, end]);
    lines.set(line, spans);
  }
  for (const [line, covered] of lines) yield [line, covered, lines.get(line - 1) ?? [], lines.get(line + 1) ?? []];
}

/** The parts of ordered spans that no other span covers. */
export function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  const left: Span[] = [];
  let other = 0;
  for (const [start, end] of spans) {
    let from = start;
    while (other < others.length && others[other]![1] <= start) other += 1;
    for (let at = other; at < others.length && others[at]![0] < end; at++) {
      if (others[at]![0] > from) left.push([from, others[at]![0]]);
      from = Math.max(from, others[at]![1]);
    }
    if (from < end) left.push([from, end]);
  }
  return left;
}
