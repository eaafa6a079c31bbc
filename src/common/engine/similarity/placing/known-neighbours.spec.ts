import { knownGroups } from '../../../../../test/support/known-groups';
import { Random } from '../../../../../test/support/random';
import { sharedInt32 } from '../../arithmetic/shared-arrays';
import { findKnownNeighbours, type KnownNeighbours } from './known-neighbours';
import { EXACT_LIMIT } from '../neighbours/neighbour-search';
import type { NearPairList } from './near-pair-list';
import type { KnownItems } from './placement';
import { LEAST_SIMILARITY } from '../near-duplicates';
import { NEIGHBOURS } from '../similarity-structure';
import { ThreadPool } from '../threads/thread-pool';

const DIMENSION = 40;
const KNOWN = 900;
const ADDED = 300;

function unit(vectors: Float32Array): Float32Array {
  for (let start = 0; start < vectors.length; start += DIMENSION) {
    const row = vectors.subarray(start, start + DIMENSION);
    const length = Math.hypot(...row);
    if (length > 0) row.set(row.map((value) => value / length));
  }
  return vectors;
}

/** Vectors whose largest numbers differ widely, some of them zero. */
function spiked(): Float32Array {
  const random = new Random(5);
  const vectors = new Float32Array((KNOWN + ADDED) * DIMENSION);
  for (let at = 0; at < vectors.length; at++) vectors[at] = (random.next() - 0.5) ** (at % 3 === 0 ? 9 : 1);
  for (let row = 0; row < KNOWN + ADDED; row += 97) vectors.fill(0, row * DIMENSION, (row + 1) * DIMENSION);
  return unit(vectors);
}

const pool = new ThreadPool(2, sharedInt32(1));
afterAll(() => pool.close());

/** Searches the first vectors as known items and the others as added ones. */
function found(
  vectors: Float32Array,
  { known: count, added: more, naming }: { readonly known: number; readonly added: number; readonly naming: number },
): Promise<KnownNeighbours> {
  const known = {
    count,
    dimension: DIMENSION,
    batches: async function* () {
      yield await Promise.resolve({
        ordinals: Int32Array.from({ length: count }, (_each, at) => at),
        vectors: vectors.slice(0, count * DIMENSION),
      });
    },
  } as unknown as KnownItems;
  const added = new Float32Array(new SharedArrayBuffer(more * DIMENSION * 4));
  added.set(vectors.subarray(count * DIMENSION, (count + more) * DIMENSION));
  const sought = { vectors: added, count: more, naming, least: LEAST_SIMILARITY };
  return findKnownNeighbours(known, sought, pool, () => undefined);
}

const pairsIn = ({ length, ordinal, added }: NearPairList): Set<string> =>
  new Set(Array.from({ length }, (_, pair) => `${ordinal[pair]} ${added[pair]}`));

it.each([
  ['in groups', () => knownGroups({ count: KNOWN + ADDED, dimension: DIMENSION, groups: 60, seed: 8 }).vectors],
  ['of any kind', spiked],
])(
  'finds the nearest known rows of many added ones, and the near duplicates of known ones, among vectors %s',
  async (_, made) => {
    const vectors = made();
    const row = (at: number): Float32Array => vectors.subarray(at * DIMENSION, (at + 1) * DIMENSION);
    const { nearest, named } = await found(vectors, { known: KNOWN, added: ADDED, naming: ADDED });
    const cosine = (one: number, other: number): number => {
      const [a, b] = [row(one), row(KNOWN + other)];
      return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
    };
    // The first of equal known rows represents all of them.
    const seen = new Set<string>();
    const distinct = Array.from({ length: KNOWN }, (_each, at) => at).filter((at) => {
      const bytes = row(at).join();
      return seen.has(bytes) ? false : seen.add(bytes);
    });
    const cosines = Array.from({ length: ADDED }, (_each, other) =>
      Array.from({ length: KNOWN }, (_one, one) => cosine(one, other)),
    );
    for (let other = 0; other < ADDED; other++) {
      const best = distinct.map((one) => cosines[other]![one]!).sort((a, b) => b - a);
      for (let at = 0; at < NEIGHBOURS; at++)
        expect(Math.min(1, nearest.scores[other * NEIGHBOURS + at]!)).toBeCloseTo(Math.min(1, best[at]!), 5);
    }
    const pairs = pairsIn(named);
    for (const one of distinct) {
      const near = Array.from({ length: ADDED }, (_each, other) => other)
        .filter((other) => cosines[other]![one]! > LEAST_SIMILARITY + 1e-5)
        .sort((a, b) => cosines[b]![one]! - cosines[a]![one]! || a - b);
      // Of equally near rows, any may be returned.
      const last = near[NEIGHBOURS - 1];
      const sure = near
        .slice(0, NEIGHBOURS)
        .filter((other) => last === undefined || cosines[other]![one]! > cosines[last]![one]! + 1e-5);
      for (const other of sure) expect(pairs).toContain(`${one} ${other}`);
    }
  },
);

it('finds nearly all neighbours when each known row is compared with its nearest cells only', async () => {
  const [known, added] = [300, EXACT_LIMIT + 2];
  const { vectors } = knownGroups({
    count: known + added,
    dimension: DIMENSION,
    groups: 400,
    seed: 6,
    within: [0.5, 0.97],
  });
  const { nearest, named } = await found(vectors, { known, added, naming: added - 1 });
  const cosineOf = (one: number, other: number): number => {
    let sum = 0;
    for (let at = 0; at < DIMENSION; at++)
      sum += vectors[one * DIMENSION + at]! * vectors[(known + other) * DIMENSION + at]!;
    return sum;
  };
  let [same, near, listed] = [0, 0, 0];
  for (let other = 0; other < added; other++) {
    let best = 0;
    for (let one = 1; one < known; one++) if (cosineOf(one, other) > cosineOf(best, other)) best = one;
    const isSame = nearest.scores[other * NEIGHBOURS]! > cosineOf(best, other) - 1e-5;
    same += Number(isSame);
    // Rows that are not searched in reverse are compared with all.
    if (other === added - 1) expect(isSame).toBe(true);
    if (cosineOf(best, other) < LEAST_SIMILARITY + 1e-5) continue;
    near += 1;
    listed += Number(isSame);
  }
  expect(same / added).toBeGreaterThan(0.98);
  expect(near).toBeGreaterThan(1000);
  expect(listed / near).toBeGreaterThan(0.999);
  const pairs = [...pairsIn(named)];
  expect(pairs.length).toBeGreaterThan(300);
  expect(pairs.filter((pair) => pair.endsWith(` ${added - 1}`))).toEqual([]);
});
