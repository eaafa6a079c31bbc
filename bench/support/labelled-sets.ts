import { Random } from '../../test/support/random';

/** Vectors with labels, some of which were exchanged. */
export interface LabelledSet {
  readonly name: string;
  readonly count: number;
  readonly dimension: number;
  /** Unit vectors in shared memory. */
  readonly vectors: Float32Array;
  /** Each item's labels; the first is the one that may have been exchanged. */
  readonly labels: readonly (readonly string[])[];
  readonly isSwapped: readonly boolean[];
}

export interface Mixture {
  readonly name: string;
  readonly seed: number;
  readonly count: number;
  readonly classes: number;
  readonly dimension: number;
  /** The number of groups of look-alikes in each class. */
  readonly looks: number;
  /** The distance of items from the centre of their group. The centres of groups are about 1.4 apart. */
  readonly spread: number;
  /** 0 for classes of equal size; with 1, the second has half the members of the first. */
  readonly imbalance: number;
}

const SWAPPED = 0.05;

export const MIXTURES: readonly Mixture[] = [
  mixture('clear', { seed: 1, looks: 3, spread: 0.8 }),
  mixture('close', { seed: 2, looks: 3, spread: 1.4, imbalance: 0.5 }),
  mixture('overlapping', { seed: 3, count: 10_000, looks: 4, spread: 1.8 }),
  mixture('overlapping, imbalanced', { seed: 4, count: 10_000, looks: 4, spread: 1.8, imbalance: 1.2 }),
  mixture('one look a class', { seed: 5, looks: 1, spread: 2.6, dimension: 128 }),
  mixture('a hundred classes', { seed: 6, count: 20_000, classes: 100, looks: 2, spread: 1.8, imbalance: 0.6 }),
  mixture('many rare classes', { seed: 7, classes: 50, looks: 2, spread: 1.6, imbalance: 1.3 }),
  mixture('three classes, imbalanced', { seed: 8, classes: 3, looks: 10, spread: 1.8, imbalance: 1 }),
  mixture('two classes, imbalanced', { seed: 9, classes: 2, looks: 8, spread: 1.8, imbalance: 1 }),
  mixture('half of the neighbours of another class', { seed: 10, classes: 10, looks: 6, spread: 2.6 }),
];

function mixture(name: string, changes: Partial<Mixture>): Mixture {
  return { name, seed: 0, count: 5_000, classes: 20, dimension: 64, looks: 1, spread: 1, imbalance: 0, ...changes };
}

export function mixedSet({ name, seed, count, classes, dimension, looks, spread, imbalance }: Mixture): LabelledSet {
  const random = new Random(seed);
  const middles = Array.from({ length: classes * looks }, () => unit(directions(random, dimension)));
  const pickClass = unevenly(classes, imbalance);
  const vectors = sharedVectors(count, dimension);
  const truth: number[] = [];
  for (let item = 0; item < count; item++) {
    truth[item] = pickClass(random);
    const middle = middles[truth[item]! * looks + random.integer(looks)]!;
    const drawn = middle.map((value) => value + (random.normal() * spread) / Math.sqrt(dimension));
    vectors.set(unit(drawn), item * dimension);
  }
  const names = truth.map((label) => [`class ${label}`]);
  return { name, count, dimension, vectors, ...swapped(names, new Random(seed, 1)) };
}

/** Exchanges the first label of some items for the label of another class. */
export function swapped(
  labels: readonly (readonly string[])[],
  random: Random,
): Pick<LabelledSet, 'labels' | 'isSwapped'> {
  const classes = [...new Set(labels.map(([first]) => first!))].sort();
  const isSwapped = new Array<boolean>(labels.length).fill(false);
  const exchanged = labels.map((each) => [...each]);
  for (let left = Math.round(labels.length * SWAPPED); left > 0;) {
    const item = random.integer(labels.length);
    if (isSwapped[item]) continue;
    const others = classes.filter((name) => !labels[item]!.includes(name));
    exchanged[item]![0] = random.pick(others);
    isSwapped[item] = true;
    left -= 1;
  }
  return { labels: exchanged, isSwapped };
}

/** Picks a number with the probability 1 / (number + 1) ** imbalance. */
export function unevenly(choices: number, imbalance: number): (random: Random) => number {
  const weights = Array.from({ length: choices }, (_, at) => (at + 1) ** -imbalance);
  const sum = weights.reduce((a, b) => a + b, 0);
  return (random) => {
    let left = random.next() * sum;
    const found = weights.findIndex((weight) => (left -= weight) < 0);
    return found === -1 ? choices - 1 : found;
  };
}

export const sharedVectors = (count: number, dimension: number): Float32Array =>
  new Float32Array(new SharedArrayBuffer(count * dimension * Float32Array.BYTES_PER_ELEMENT));

const directions = (random: Random, dimension: number): Float32Array =>
  Float32Array.from({ length: dimension }, () => random.normal());

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
