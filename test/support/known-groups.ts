import { Random } from './random';

/** Vectors in known groups: heavy-tailed sizes, looser and tighter groups, groups of a common theme, copies and near copies. */
export interface KnownGroups {
  readonly count: number;
  readonly dimension: number;
  readonly vectors: Float32Array;
  readonly contentGroup: Int32Array;
  readonly group: Int32Array;
  /** Each near copy and the item that it was made from. */
  readonly planted: readonly (readonly [original: number, copy: number])[];
  readonly exactCopies: number;
}

export interface GroupShape {
  readonly count: number;
  readonly dimension: number;
  readonly groups: number;
  readonly seed?: number;
  /** The average cosine within a group, of the loosest and of the tightest group. */
  readonly within?: readonly [number, number];
  /** The cosine between the centres of two groups of one theme. */
  readonly theme?: number;
}

const GROUPS_A_THEME = 50;
const EXACT_COPY = 0.01;
const NEAR_COPY = 0.03;
const NEAR_COPY_COSINE = 0.99;

/** Has a variance of 1. Avoids logarithms, because half a billion numbers are drawn. */
const roughlyNormal = (random: Random): number =>
  (random.next() + random.next() + random.next() + random.next() - 2) * Math.sqrt(3);

export function knownGroups(shape: GroupShape): KnownGroups {
  const { count, dimension } = shape;
  const random = new Random(shape.seed ?? 1);
  const [loose, tight] = shape.within ?? [0.7, 0.95];
  const centres = groupCentres(shape, random);
  const cosines = Float64Array.from({ length: shape.groups }, () => loose + (tight - loose) * random.next());
  const sizes = heavyTailedSizes(count, shape.groups);
  const vectors = new Float32Array(new SharedArrayBuffer(count * dimension * 4));
  const contentGroup = new Int32Array(count);
  const group = new Int32Array(count);
  const planted: [number, number][] = [];
  let exactCopies = 0;
  const order = shuffled(count, random);
  let at = 0;
  for (let g = 0; g < shape.groups; g++) {
    const first = at;
    for (; at < first + sizes[g]!; at++) {
      const item = order[at]!;
      group[item] = g;
      contentGroup[item] = item;
      const draw = at === first ? 1 : random.next();
      const original = order[first + random.integer(Math.max(1, at - first))]!;
      if (draw < EXACT_COPY) {
        vectors.copyWithin(item * dimension, original * dimension, (original + 1) * dimension);
        contentGroup[item] = contentGroup[original]!;
        exactCopies += 1;
      } else if (draw < EXACT_COPY + NEAR_COPY) {
        blend(vectors, original, vectors, item, dimension, NEAR_COPY_COSINE ** 2, random);
        planted.push([original, item]);
      } else {
        blend(centres, g, vectors, item, dimension, cosines[g]!, random);
      }
    }
  }
  return { count, dimension, vectors, contentGroup, group, planted, exactCopies };
}

/** Unit vectors near other unit vectors: two vectors with the same source have `cosine` on average. */
function blend(
  source: Float32Array,
  from: number,
  target: Float32Array,
  to: number,
  dimension: number,
  cosine: number,
  random: Random,
): void {
  const own = Math.sqrt(cosine);
  const other = Math.sqrt((1 - cosine) / dimension);
  let square = 0;
  for (let k = 0; k < dimension; k++) {
    const value = source[from * dimension + k]! * own + roughlyNormal(random) * other;
    target[to * dimension + k] = value;
    square += value * value;
  }
  const length = Math.sqrt(square);
  for (let k = 0; k < dimension; k++) target[to * dimension + k]! /= length;
}

function groupCentres({ groups, dimension, theme }: GroupShape, random: Random): Float32Array {
  const themes = Math.ceil(groups / GROUPS_A_THEME);
  const origin = new Float32Array(dimension);
  const themeCentres = new Float32Array(themes * dimension);
  for (let t = 0; t < themes; t++) blend(origin, 0, themeCentres, t, dimension, 0, random);
  const centres = new Float32Array(groups * dimension);
  for (let g = 0; g < groups; g++) blend(themeCentres, g % themes, centres, g, dimension, theme ?? 0.5, random);
  return centres;
}

/** Sizes proportional to the rank to the power of -0.8: of 20,000 groups of a million items, the largest has about 28,000 items and most have a few dozen. */
export function heavyTailedSizes(count: number, groups: number): Int32Array {
  const weights = Float64Array.from({ length: groups }, (_, rank) => (rank + 1) ** -0.8);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sizes = Int32Array.from(weights, (weight) => Math.max(1, Math.floor((weight / total) * count)));
  const given = sizes.reduce((sum, size) => sum + size, 0);
  sizes[0]! += count - given;
  return sizes;
}

export function shuffled(count: number, random: Random): Int32Array {
  const order = Int32Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = random.integer(at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}
