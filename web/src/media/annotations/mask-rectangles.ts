/** Run lengths of a bitmap in columns, beginning with what is outside, in the compressed text of COCO. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly counts: string;
}

export type Rectangle = readonly [left: number, top: number, width: number, height: number];

const BITS = 5;
const PAYLOAD = 0x1f;
const MORE = 0x20;
const SIGN = 0x10;
const FIRST_CHARACTER = 48;
/** Characters of one number of 32 bits. */
const MOST_CHARACTERS = 7;
/** Of the service. */
const MOST_COUNTS = 1_000_000;

/** Where what is inside begins and ends, in turn: numbers of pixels, which are counted down the columns. */
export type Spans = readonly number[];

/** Undefined if the text is not one of a mask. */
export function spansOf({ width, height, counts }: Mask): Spans | undefined {
  if (counts.length > MOST_COUNTS) return undefined;
  const runs: number[] = [];
  const ends: number[] = [];
  let filled = 0;
  for (let at = 0; at < counts.length;) {
    let [run, shift, digit] = [0, 0, MORE];
    while ((digit & MORE) !== 0) {
      digit = counts.charCodeAt(at++) - FIRST_CHARACTER;
      if (!(digit >= 0 && digit < 2 * MORE) || shift >= MOST_CHARACTERS * BITS) return undefined;
      run += (digit & PAYLOAD) * 2 ** shift;
      shift += BITS;
    }
    if ((digit & SIGN) !== 0) run -= 2 ** shift;
    // From the third on, a run is told by its difference to the one before the last.
    if (runs.length > 2) run += runs[runs.length - 2]!;
    if (run < 0 || filled + run > width * height) return undefined;
    runs.push(run);
    filled += run;
    ends.push(filled);
  }
  if (filled !== width * height) return undefined;
  // What is outside at the end has no end.
  return runs.length % 2 === 1 ? ends.slice(0, -1) : ends;
}

/** The mask that has these pixels; undefined if it would have more text than the service takes. */
export function maskOf(spans: Spans, { width, height }: Pick<Mask, 'width' | 'height'>): Mask | undefined {
  const ends = spans.at(-1) === width * height ? spans : [...spans, width * height];
  const runs = ends.map((end, at) => end - (ends[at - 1] ?? 0));
  const texts: string[] = [];
  let length = 0;
  for (const [at, run] of runs.entries()) {
    const text = textOf(at > 2 ? run - runs[at - 2]! : run);
    length += text.length;
    if (length > MOST_COUNTS) return undefined;
    texts.push(text);
  }
  return { width, height, counts: texts.join('') };
}

function textOf(number: number): string {
  let [text, rest] = ['', number];
  for (;;) {
    const digit = rest - Math.floor(rest / MORE) * MORE;
    rest = Math.floor(rest / MORE);
    const isLast = (digit & SIGN) === 0 ? rest === 0 : rest === -1;
    text += String.fromCharCode(FIRST_CHARACTER + digit + (isLast ? 0 : MORE));
    if (isLast) return text;
  }
}

/** The mask as rectangles that do not overlap, up to three for each run; none if the text is not one of a mask. */
export function rectanglesOf(mask: Mask): readonly Rectangle[] {
  const spans = spansOf(mask) ?? [];
  const rectangles: Rectangle[] = [];
  for (let at = 0; at < spans.length; at += 2) addRun(rectangles, spans[at]!, spans[at + 1]!, mask.height);
  return rectangles;
}

/** The rest of its first column, whole columns, and the beginning of its last one. */
function addRun(rectangles: Rectangle[], start: number, end: number, height: number): void {
  const add = (from: number, to: number, columns = 1) => {
    if (to > from) rectangles.push([Math.floor(from / height), from % height, columns, (to - from) / columns]);
  };
  const whole = Math.ceil(start / height) * height;
  const last = Math.floor(end / height) * height;
  if (whole > last) {
    add(start, end);
    return;
  }
  add(start, whole);
  add(whole, last, (last - whole) / height);
  add(last, end);
}
