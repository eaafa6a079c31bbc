import { knownGroups, type KnownGroups } from '../../../../../test/support/known-groups';
import { structureOfVectors } from '../../../../../test/support/structures';
import { EXACT_LIMIT } from '../neighbours/neighbour-search';
import type { MapLayout, SimilarityInput } from '../similarity-structure';
import { hashedRandom } from './hashed-random';

const LADDER = [0.95, 0.85, 0.7, 0.6, 0.5] as const;
const NEAREST = 10;

type Vectors = Pick<SimilarityInput, 'count' | 'dimension' | 'vectors' | 'contentGroup'>;

const laidOut = async (known: Vectors, threads = 2): Promise<MapLayout> =>
  (await structureOfVectors({ ...known, ladder: LADDER, threads })).layout;

function vectorsOf(rows: readonly (readonly number[])[], dimension = rows[0]?.length ?? 4): Vectors {
  const vectors = new Float32Array(new SharedArrayBuffer(rows.length * dimension * 4));
  rows.forEach((row, at) => vectors.set(row, at * dimension));
  return { count: rows.length, dimension, vectors, contentGroup: Int32Array.from(rows.keys()) };
}

/** The share of the nearest items on the map in the same group, averaged over some items of groups with enough members. */
function sharedFamilies({ x, y }: MapLayout, { group, count }: KnownGroups): { shared: number; byChance: number } {
  const sizes = new Map<number, number>();
  for (const each of group) sizes.set(each, (sizes.get(each) ?? 0) + 1);
  let [shared, byChance, asked] = [0, 0, 0];
  for (let item = 0; item < count; item += Math.ceil(count / 100)) {
    const size = sizes.get(group[item]!)!;
    if (size <= NEAREST) continue;
    const distance = x.map((_, other) => (x[item]! - x[other]!) ** 2 + (y[item]! - y[other]!) ** 2);
    distance[item] = Infinity;
    const farthest = distance.toSorted()[NEAREST - 1]!;
    const within = [...distance.keys()].filter((other) => distance[other]! <= farthest);
    const nearest = within.sort((a, b) => distance[a]! - distance[b]!).slice(0, NEAREST);
    shared += nearest.filter((other) => group[other] === group[item]).length / NEAREST;
    byChance += (size - 1) / (count - 1);
    asked += 1;
  }
  return { shared: shared / asked, byChance: byChance / asked };
}

function expectInUnitSquare({ x, y }: MapLayout): void {
  for (const places of [x, y])
    expect(places.every((place) => Number.isNaN(place) || (place >= 0 && place <= 1))).toBe(true);
}

describe('the layout of known groups', () => {
  const inCells = knownGroups({ count: EXACT_LIMIT + 500, dimension: 32, groups: 150, seed: 9 });
  const layouts = new Map<KnownGroups, Promise<MapLayout>>();
  /** Each layout is computed once, by three threads. */
  const layoutOf = (known: KnownGroups): Promise<MapLayout> => {
    const layout = layouts.get(known) ?? laidOut(known, 3);
    layouts.set(known, layout);
    return layout;
  };

  test.each([
    ['few items', knownGroups({ count: 1500, dimension: 32, groups: 30, seed: 8 })],
    ['items in cells', inCells],
  ])('of %s keeps groups together, unlike a random one', async (_, known) => {
    const layout = await layoutOf(known);
    expectInUnitSquare(layout);
    const { shared, byChance } = sharedFamilies(layout, known);
    const random = (axis: number): Float32Array => Float32Array.from(layout.x, (__, at) => hashedRandom(at, axis));
    expect(sharedFamilies({ x: random(0), y: random(1) }, known).shared).toBeLessThan(2 * byChance + 0.1);
    expect(byChance).toBeLessThan(0.2);
    expect(shared).toBeGreaterThan(0.9);
  });

  // The layout of more items than one thread moves is compared with the whole structure, in compute-similarity-structure.spec.
  test('of few items is deterministic for any number of threads', async () => {
    const known = knownGroups({ count: 700, dimension: 16, groups: 20 });
    expect(await layoutOf(known)).toEqual(await laidOut(known, 1));
  });

  test('is not computed if it is not needed', async () => {
    const known = knownGroups({ count: 100, dimension: 16, groups: 5 });
    const { layout } = await structureOfVectors({ ...known, ladder: LADDER, threads: 1, isMapped: false });
    expect(layout.x).toHaveLength(0);
  });
});

describe('the layout of', () => {
  test('no items is empty', async () => {
    expect((await laidOut(vectorsOf([]))).x).toHaveLength(0);
  });

  test('one item is in the middle', async () => {
    const { x, y } = await laidOut(vectorsOf([[1, 0]]));
    expect([...x, ...y]).toEqual([0.5, 0.5]);
  });

  test('two or three dissimilar items fills the square', async () => {
    for (const rows of [
      [
        [1, 0, 0],
        [0, 1, 0],
      ],
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    ]) {
      // prettier-ignore
      const layout = await laidOut(vectorsOf(rows));
      expectInUnitSquare(layout);
      const width = ({ x, y }: MapLayout): number =>
        Math.max(Math.max(...x) - Math.min(...x), Math.max(...y) - Math.min(...y));
      expect(width(layout)).toBeCloseTo(0.98, 5);
    }
  });

  test('equal items is a disc', async () => {
    const layout = await laidOut(vectorsOf(Array.from({ length: 500 }, () => [0.6, 0.8])));
    expectInUnitSquare(layout);
    const places = new Set(layout.x.map((x, at) => Math.round(1e6 * x) + Math.round(1e6 * layout.y[at]!) * 1e7));
    expect(places.size).toBe(500);
  });

  test('copies puts them beside each other', async () => {
    const known = knownGroups({ count: 300, dimension: 16, groups: 6 });
    known.contentGroup[17] = known.contentGroup[201]!;
    const { x, y } = await laidOut(known);
    const apart = Math.hypot(x[17]! - x[201]!, y[17]! - y[201]!);
    expect(apart).toBeGreaterThan(0);
    expect(apart).toBeLessThan(0.02);
  });

  test('items without a direction has no place for them', async () => {
    const layout = await laidOut(vectorsOf([[1, 0], [0, 0], [0, 1], [0, 0]])); // prettier-ignore
    expect([...layout.x].map(Number.isNaN)).toEqual([false, true, false, true]);
    expect([...layout.y].map(Number.isNaN)).toEqual([false, true, false, true]);
  });

  test('items without groups is finite', async () => {
    const random = (row: number, k: number): number => hashedRandom(row, k) - 0.5;
    const rows = Array.from({ length: 900 }, (_, row) => {
      const vector = Array.from({ length: 64 }, (__, k) => random(row, k));
      return vector.map((value) => value / Math.hypot(...vector));
    });
    const layout = await laidOut(vectorsOf(rows));
    expectInUnitSquare(layout);
    expect(layout.x.some(Number.isNaN)).toBe(false);
  });
});
