import type { Mask } from './annotation';

const BITS = 5;
const PAYLOAD = 0x1f;
const MORE = 0x20;
const SIGN = 0x10;
const FIRST_CHARACTER = 48;
/** Characters of one number of 32 bits. */
const MOST_CHARACTERS = 7;

/** The run lengths of a compressed text; undefined if it is not one, or does not fill the picture. */
export function runsOf({ counts, width, height }: Mask): number[] | undefined {
  const runs: number[] = [];
  let filled = 0;
  for (let at = 0; at < counts.length;) {
    let [value, shift, digit] = [0, 0, MORE];
    while ((digit & MORE) !== 0) {
      digit = counts.charCodeAt(at++) - FIRST_CHARACTER;
      if (!(digit >= 0 && digit < 2 * MORE) || shift >= MOST_CHARACTERS * BITS) return undefined;
      value += (digit & PAYLOAD) * 2 ** shift;
      shift += BITS;
    }
    if ((digit & SIGN) !== 0) value -= 2 ** shift;
    // From the third on, a run is told by its difference to the one before the last.
    if (runs.length > 2) value += runs[runs.length - 2]!;
    if (value < 0) return undefined;
    runs.push(value);
    filled += value;
  }
  return filled === width * height ? runs : undefined;
}

export function textOfRuns(runs: readonly number[]): string {
  let text = '';
  for (const [at, run] of runs.entries()) {
    let value = at > 2 ? run - runs[at - 2]! : run;
    for (let more = true; more;) {
      const digit = value & PAYLOAD;
      value >>= BITS;
      more = (digit & SIGN) === 0 ? value !== 0 : value !== -1;
      text += String.fromCharCode(digit + (more ? MORE : 0) + FIRST_CHARACTER);
    }
  }
  return text;
}

/** The number of pixels in the mask. */
export const coveredBy = (runs: readonly number[]): number =>
  runs.reduce((sum, run, at) => (at % 2 === 1 ? sum + run : sum), 0);
