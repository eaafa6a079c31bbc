import { coveredSpans } from '../../annotation-formats/mask-lines';
import { partsInLines } from '../../annotation-formats/mask-lines';
import type { Mask } from '../../annotations/annotation';
import { runsOf } from '../../annotations/mask-runs';
import type { PictureSize } from '../picture-matcher';

/** A bitmap in columns: the ascending places of pixels from which it is set, no longer set, set again and so on. An even number. */
export type Toggles = readonly number[];

/** More are in no mask or polygon that somebody drew. */
const MOST_TOGGLES = 2 ** 24;

/** As a picture of this size has it; undefined if that takes too many toggles. */
export function togglesOfMask(mask: Mask, { width, height }: PictureSize): Toggles | undefined {
  const spans = coveredSpans(runsOf(mask) ?? []);
  if (mask.width === width && mask.height === height) return [...spans].flat();
  const columns: number[][] = Array.from({ length: mask.width }, () => []);
  for (const [line, start, end] of partsInLines(spans, mask.height)) columns[line]!.push(start, end);
  const row = (at: number): number => Math.ceil((at * height) / mask.height - 0.5);
  const toggles: number[] = [];
  for (let x = 0; x < width; x++) {
    for (const at of columns[Math.floor(((x + 0.5) * mask.width) / width)]!) toggles.push(x * height + row(at));
    if (toggles.length > MOST_TOGGLES) return undefined;
  }
  return withoutPairs(toggles);
}

/** Without those that toggle the same pixel twice. */
export function withoutPairs(ascending: readonly number[]): number[] {
  const kept: number[] = [];
  for (const at of ascending)
    if (kept.length > 0 && kept.at(-1) === at) kept.pop();
    else kept.push(at);
  return kept;
}

/** What is set in one, and in the other or not there. */
export const union = (one: Toggles, other: Toggles): Toggles => combined(one, other, (a, b) => a || b);
export const difference = (one: Toggles, other: Toggles): Toggles => combined(one, other, (a, b) => a && !b);

function combined(one: Toggles, other: Toggles, isSet: (one: boolean, other: boolean) => boolean): Toggles {
  const toggles: number[] = [];
  for (let [i, j] = [0, 0]; i < one.length || j < other.length;) {
    const at = Math.min(one[i] ?? Infinity, other[j] ?? Infinity);
    if (one[i] === at) i += 1;
    if (other[j] === at) j += 1;
    if (isSet(i % 2 === 1, j % 2 === 1) !== (toggles.length % 2 === 1)) toggles.push(at);
  }
  return toggles;
}

/** How many pixels are set. */
export function pixelsOf(toggles: Toggles): number {
  let sum = 0;
  for (let at = 0; at < toggles.length; at += 2) sum += toggles[at + 1]! - toggles[at]!;
  return sum;
}

/** How many pixels are set in both. */
export function commonPixels(one: Toggles, other: Toggles): number {
  let sum = 0;
  for (let [i, j] = [0, 0]; i < one.length && j < other.length;) {
    const end = Math.min(one[i + 1]!, other[j + 1]!);
    sum += Math.max(0, end - Math.max(one[i]!, other[j]!));
    if (one[i + 1] === end) i += 2;
    if (other[j + 1] === end) j += 2;
  }
  return sum;
}
