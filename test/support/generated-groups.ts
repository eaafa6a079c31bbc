import { heavyTailedSizes, shuffled } from './known-groups';
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
