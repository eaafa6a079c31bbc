import { Random } from './random';

/** Vectors in known groups, like those of `knownGroups`, but generated on demand. */
export interface GeneratedShape {
  readonly count: number;
  readonly dimension: number;
  readonly groups: number;
}

const GROUPS_A_THEME = 50;
const THEME_COSINE = 0.5;
const [LOOSE, TIGHT] = [0.7, 0.95];
const EXACT_COPY = 0.01;
const NEAR_COPY = 0.03;
const NEAR_COPY_COSINE = 0.99 ** 2;
const NOISE = 2 ** 16;

export class GeneratedGroups {
  readonly group: Int32Array;
  readonly contentGroup: Int32Array;
  /** For near copies the item that they were made from, otherwise -1. */
  readonly nearCopyOf: Int32Array;
  private readonly noise = roughlyNormal(new Random(11));
  private readonly centres: Float32Array;
  private readonly original: Float32Array;

  constructor(private readonly shape: GeneratedShape) {
    const { count, dimension, groups } = shape;
    const random = new Random(1);
    this.centres = this.groupCentres();
    this.original = new Float32Array(dimension);
    this.group = new Int32Array(count);
    this.contentGroup = Int32Array.from({ length: count }, (_, item) => item);
    this.nearCopyOf = new Int32Array(count).fill(-1);
    const sizes = heavyTailedSizes(count, groups);
    const order = shuffled(count, random);
    let at = 0;
    sizes.forEach((size, group) => {
      const first = order[at]!;
      for (const end = at + size; at < end; at++) {
        const item = order[at]!;
        this.group[item] = group;
        const draw = item === first ? 1 : random.next();
        if (draw < EXACT_COPY) this.contentGroup[item] = first;
        else if (draw < EXACT_COPY + NEAR_COPY) this.nearCopyOf[item] = first;
      }
    });
  }

  get count(): number {
    return this.shape.count;
  }

  get dimension(): number {
    return this.shape.dimension;
  }

  /** Writes the vector of an item. */
  fill(item: number, into: Float32Array): void {
    const original = this.nearCopyOf[item]!;
    if (original >= 0) {
      this.member(original, this.original);
      this.blend(this.original, 0, into, NEAR_COPY_COSINE, item);
    } else this.member(this.contentGroup[item]!, into);
  }

  private member(item: number, into: Float32Array): void {
    const group = this.group[item]!;
    const cosine = LOOSE + (TIGHT - LOOSE) * new Random(3, group).next();
    this.blend(this.centres, group * this.dimension, into, cosine, item);
  }

  /** A unit vector near the source; two vectors with the same source have `cosine` on average. */
  private blend(source: Float32Array, start: number, into: Float32Array, cosine: number, ...seed: number[]): void {
    const { noise, dimension } = this;
    const random = new Random(5, ...seed);
    const [own, other] = [Math.sqrt(cosine), Math.sqrt((1 - cosine) / dimension)];
    const step = 2 * random.integer(NOISE / 2) + 1;
    let at = random.integer(NOISE);
    let square = 0;
    for (let k = 0; k < dimension; k++, at = (at + step) % NOISE) {
      const value = source[start + k]! * own + noise[at]! * other;
      into[k] = value;
      square += value * value;
    }
    const length = Math.sqrt(square);
    for (let k = 0; k < dimension; k++) into[k]! /= length;
  }

  private groupCentres(): Float32Array {
    const { groups, dimension } = this.shape;
    const themes = Math.ceil(groups / GROUPS_A_THEME);
    const themeCentres = new Float32Array(themes * dimension);
    const nothing = new Float32Array(dimension);
    for (let theme = 0; theme < themes; theme++)
      this.blend(nothing, 0, themeCentres.subarray(theme * dimension, (theme + 1) * dimension), 0, 7, theme);
    const centres = new Float32Array(groups * dimension);
    for (let group = 0; group < groups; group++) {
      const into = centres.subarray(group * dimension, (group + 1) * dimension);
      this.blend(themeCentres, (group % themes) * dimension, into, THEME_COSINE, 9, group);
    }
    return centres;
  }
}

function roughlyNormal(random: Random): Float32Array {
  return new Float32Array(NOISE).map(() => random.normal());
}

/** Sizes proportional to the rank to the power of -0.8: of 20,000 groups of a million items, the largest has about 28,000 items and most have a few dozen. */
function heavyTailedSizes(count: number, groups: number): Int32Array {
  const weights = Float64Array.from({ length: groups }, (_, rank) => (rank + 1) ** -0.8);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sizes = Int32Array.from(weights, (weight) => Math.max(1, Math.floor((weight / total) * count)));
  sizes[0]! += count - sizes.reduce((sum, size) => sum + size, 0);
  return sizes;
}

function shuffled(count: number, random: Random): Int32Array {
  const order = Int32Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = random.integer(at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}
