import { middle, mixed, Resampling, type Interval } from '../statistics/resampling';
import type { SliceSums } from './slice-members';

const DRAWS = 1000;
const SHARE = 0.95;
/** More pictures are drawn as this many groups, put together at random: enough for large slices, and those of a small slice are hardly ever in one group. */
const MOST_GROUPS = 1024;

/** A figure of a slice, from its sums and those of everything, by column. */
export type SliceFigure = (slice: Float64Array, all: Float64Array) => number;

export interface Resampled {
  /** The number of all pictures, and what those with objects add up to. */
  readonly pictures: number;
  readonly all: SliceSums;
  readonly seed: number;
}

/** Intervals of 95 % for a figure of each slice, from pictures drawn again and again. Undefined where the figure never is a number. */
export function intervalsOf<S>(
  slices: readonly S[],
  sumsOfSlice: (slice: S) => SliceSums,
  { pictures, all, seed }: Resampled,
  figure: SliceFigure,
): (Interval | undefined)[] {
  const groups = Math.min(pictures, MOST_GROUPS);
  const groupOf = (picture: number): number => (pictures === groups ? picture : mixed(picture + seed) % groups);
  const [everything, parts] = [
    grouped(all, groups, groupOf),
    slices.map((slice) => grouped(sumsOfSlice(slice), groups, groupOf)),
  ];
  const resampling = new Resampling(groups, seed);
  const figures = slices.map(() => new Float64Array(DRAWS));
  const [ofAll, ofSlice] = [new Float64Array(all.columns.length), new Float64Array(all.columns.length)];
  for (let draw = 0; draw < DRAWS; draw++) {
    resampling.draw();
    weigh(everything, resampling.times, ofAll);
    for (let slice = 0; slice < parts.length; slice++) {
      weigh(parts[slice]!, resampling.times, ofSlice);
      figures[slice]![draw] = figure(ofSlice, ofAll);
    }
  }
  return figures.map((each) => middle(each, SHARE));
}

interface GroupSums {
  readonly groups: Int32Array;
  /** The columns of each group, one group after the other. */
  readonly sums: Float64Array;
}

function grouped({ pictures, columns }: SliceSums, groups: number, groupOf: (picture: number) => number): GroupSums {
  const width = columns.length;
  const sums = new Float64Array(groups * width);
  const isHeld = new Uint8Array(groups);
  for (let at = 0; at < pictures.length; at++) {
    const group = groupOf(pictures[at]!);
    isHeld[group] = 1;
    for (let column = 0; column < width; column++) sums[group * width + column]! += columns[column]![at]!;
  }
  const held = Int32Array.from(isHeld.keys()).filter((group) => isHeld[group] === 1);
  return { groups: held, sums: sums.filter((_, at) => isHeld[Math.floor(at / width)] === 1) };
}

function weigh({ groups, sums }: GroupSums, times: Uint8Array, into: Float64Array): void {
  into.fill(0);
  let at = 0;
  for (let held = 0; held < groups.length; held++) {
    const drawn = times[groups[held]!]!;
    for (let column = 0; column < into.length; column++) into[column]! += drawn * sums[at++]!;
  }
}
