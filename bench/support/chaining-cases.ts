import { Random } from '../../test/support/random';

const DIMENSION = 256;
const FAMILY = 40;
const NOISE = 0.25;

/** Pairs of families with a chain of look-alikes between them. Each case uses different directions. */
export interface ChainingCases {
  readonly count: number;
  readonly dimension: number;
  readonly vectors: Float32Array;
  /** For each case, the items of its two families. */
  readonly families: readonly (readonly [readonly number[], readonly number[]])[];
}

interface Place {
  /** The position between the centres of the two families, 0 to 1. */
  readonly between: number;
  readonly noise: number;
}

/** Chains of 4 to 60 look-alikes between families whose centres are at right angles or farther apart. */
export function chainingCases(cases: number): ChainingCases {
  const rows: Float32Array[] = [];
  const families: [number[], number[]][] = [];
  for (let at = 0; at < cases; at++) {
    const random = new Random(977, at);
    const links = Math.round(4 + (56 * at) / Math.max(1, cases - 1));
    const angle = (Math.PI / 2) * (1 + (at % 4) / 4);
    const basis = [direction(random), direction(random)] as const;
    const add = (place: Place): number => rows.push(onArc(basis, angle, place, random)) - 1;
    const family = (between: number): number[] => Array.from({ length: FAMILY }, () => add({ between, noise: NOISE }));
    families.push([family(0), family(1)]);
    for (let link = 1; link <= links; link++) add({ between: link / (links + 1), noise: NOISE / 5 });
  }
  const vectors = new Float32Array(new SharedArrayBuffer(rows.length * DIMENSION * 4));
  rows.forEach((row, at) => vectors.set(row, at * DIMENSION));
  return { count: rows.length, dimension: DIMENSION, vectors, families };
}

/** The number of cases in which more than half of each family is in one cluster. */
export function joinedCases({ families }: ChainingCases, clusters: ArrayLike<number>): number {
  const majority = (members: readonly number[]): number | undefined => {
    const sizes = new Map<number, number>();
    for (const member of members) sizes.set(clusters[member]!, (sizes.get(clusters[member]!) ?? 0) + 1);
    return [...sizes].find(([, size]) => size > members.length / 2)?.[0];
  };
  return families.filter(([first, second]) => {
    const cluster = majority(first);
    return cluster !== undefined && cluster === majority(second);
  }).length;
}

function onArc(
  [first, second]: readonly [Float32Array, Float32Array],
  angle: number,
  { between, noise }: Place,
  random: Random,
): Float32Array {
  const across = second.map((value, k) => value - first[k]! * dot(first, second));
  const length = Math.sqrt(dot(across, across));
  const spread = direction(random);
  return unit(
    first.map((value, k) => {
      const onCircle = value * Math.cos(angle * between) + (across[k]! / length) * Math.sin(angle * between);
      return onCircle + spread[k]! * noise;
    }),
  );
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, k) => sum + value * b[k]!, 0);

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

const direction = (random: Random): Float32Array => unit(new Float32Array(DIMENSION).map(() => random.normal()));
