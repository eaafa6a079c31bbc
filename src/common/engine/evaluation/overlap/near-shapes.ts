import type { Effort } from './effort';

/** Left, top, right and bottom. */
export type Extent = readonly [left: number, top: number, right: number, bottom: number];

const SIDES = 4;
/** Of more, those that are near to each other are tested together first. */
const FEW = 64;
/** Sorting a larger share takes longer than testing all. */
const SORTED_SHARE = 1 / 8;
/** What no shape covers. */
export const NOWHERE: Extent = [Infinity, Infinity, -Infinity, -Infinity];

/** Extents by place. */
export function extentsOf(extents: readonly Extent[]): Float64Array {
  const sides = new Float64Array(extents.length * SIDES);
  for (let place = 0; place < extents.length; place++) {
    const extent = extents[place]!;
    for (let side = 0; side < SIDES; side++) sides[place * SIDES + side] = extent[side]!;
  }
  return sides;
}

function meet(one: Float64Array, at: number, other: Float64Array, place: number): boolean {
  const [own, others] = [at * SIDES, place * SIDES];
  return (
    one[own]! <= other[others + 2]! &&
    other[others]! <= one[own + 2]! &&
    one[own + 1]! <= other[others + 3]! &&
    other[others + 1]! <= one[own + 3]!
  );
}

/** Some shapes, of which those are found that another one may cover. */
export class NearShapes {
  /** What was found last: ascending numbers in `places`. */
  readonly found: Int32Array;
  /** Numbers in `places`, some after each other that are near to each other. */
  private readonly groups: readonly Int32Array[] | undefined;
  private readonly groupExtents: Float64Array = new Float64Array();

  constructor(
    private readonly places: readonly number[],
    private readonly extents: Float64Array,
    private readonly effort: Effort,
  ) {
    this.found = new Int32Array(places.length);
    if (places.length <= FEW) return;
    this.groups = this.grouped();
    this.groupExtents = extentsOf(this.groups.map((numbers) => this.around(numbers)));
  }

  /** Writes those that meet an extent to the beginning of `found`. Returns how many. */
  find(extents: Float64Array, place: number): number {
    const { found, groups } = this;
    if (groups === undefined) return this.findAmongAll(extents, place);
    this.effort.spend(groups.length);
    const met = groups.filter((_, group) => meet(extents, place, this.groupExtents, group));
    if (met.length > Math.max(1, SORTED_SHARE * groups.length)) return this.findAmongAll(extents, place);
    let count = 0;
    for (const numbers of met) {
      this.effort.spend(numbers.length);
      for (const number of numbers)
        if (meet(extents, place, this.extents, this.places[number]!)) found[count++] = number;
    }
    if (met.length > 1) found.subarray(0, count).sort();
    return count;
  }

  private findAmongAll(extents: Float64Array, place: number): number {
    const { places, found } = this;
    this.effort.spend(places.length);
    let count = 0;
    for (let number = 0; number < places.length; number++)
      if (meet(extents, place, this.extents, places[number]!)) found[count++] = number;
    return count;
  }

  /** In columns, and these in rows. */
  private grouped(): Int32Array[] {
    const size = Math.ceil(Math.sqrt(this.places.length));
    const columns = Math.ceil(Math.sqrt(this.places.length / size));
    const numbers = Int32Array.from(this.places.keys());
    return chunksOf(this.sorted(numbers, 0), Math.ceil(numbers.length / columns)).flatMap((column) =>
      chunksOf(this.sorted(column, 1), size),
    );
  }

  private sorted(numbers: Int32Array, side: 0 | 1): Int32Array {
    const middleOf = (number: number): number => {
      const at = this.places[number]! * SIDES + side;
      // What is nowhere has no middle.
      return this.extents[at]! + this.extents[at + 2]! || 0;
    };
    const middles = Float64Array.from(this.places, (_, number) => middleOf(number));
    return numbers.sort((a, b) => middles[a]! - middles[b]! || a - b);
  }

  private around(numbers: Int32Array): Extent {
    let [left, top, right, bottom] = NOWHERE;
    for (const number of numbers) {
      const at = this.places[number]! * SIDES;
      [left, top] = [Math.min(left, this.extents[at]!), Math.min(top, this.extents[at + 1]!)];
      [right, bottom] = [Math.max(right, this.extents[at + 2]!), Math.max(bottom, this.extents[at + 3]!)];
    }
    return [left, top, right, bottom];
  }
}

const chunksOf = (numbers: Int32Array, size: number): Int32Array[] =>
  Array.from({ length: Math.ceil(numbers.length / size) }, (_, at) => numbers.subarray(at * size, (at + 1) * size));
