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

/** The mask as rectangles that do not overlap, up to three for each run; none if the text is not one of a mask. */
export function rectanglesOf({ width, height, counts }: Mask): readonly Rectangle[] {
  if (counts.length > MOST_COUNTS) return [];
  const runs: number[] = [];
  const rectangles: Rectangle[] = [];
  let filled = 0;
  for (let at = 0; at < counts.length;) {
    let [run, shift, digit] = [0, 0, MORE];
    while ((digit & MORE) !== 0) {
      digit = counts.charCodeAt(at++) - FIRST_CHARACTER;
      if (!(digit >= 0 && digit < 2 * MORE) || shift >= MOST_CHARACTERS * BITS) return [];
      run += (digit & PAYLOAD) * 2 ** shift;
      shift += BITS;
    }
    if ((digit & SIGN) !== 0) run -= 2 ** shift;
    // From the third on, a run is told by its difference to the one before the last.
    if (runs.length > 2) run += runs[runs.length - 2]!;
    if (run < 0 || filled + run > width * height) return [];
    if (runs.length % 2 === 1) addRun(rectangles, filled, filled + run, height);
    runs.push(run);
    filled += run;
  }
  return filled === width * height ? rectangles : [];
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
