import { tmpdir } from 'node:os';
import { knownGroups } from '../../../../../test/support/known-groups';
import { structureOfVectors } from '../../../../../test/support/structures';
import { placeNewItems } from './place-new-items';
import type { AddedItems, ClusterLevels, KnownItems } from './placement';
import type { MapLayout } from '../similarity-structure';

const LADDER = [0.95, 0.85, 0.75, 0.65, 0.55] as const;
const DIMENSION = 16;
const KNOWN = 400;
const groups = knownGroups({ count: 460, dimension: DIMENSION, groups: 8, seed: 4 });

function partOf(from: number, to: number): AddedItems {
  const vectors = new Float32Array(new SharedArrayBuffer((to - from) * DIMENSION * 4));
  vectors.set(groups.vectors.subarray(from * DIMENSION, to * DIMENSION));
  const contentGroup = Int32Array.from({ length: to - from }, (_, at) => at);
  return { count: to - from, vectors, contentGroup, knownCopy: new Int32Array(to - from).fill(-1) };
}

const added = partOf(KNOWN, groups.count);

function knownWith(places: MapLayout, { count, vectors }: AddedItems): KnownItems {
  const none = Int32Array.from({ length: count }, (_, at) => at);
  return {
    count,
    dimension: DIMENSION,
    batches: async function* () {
      if (count > 0) yield await Promise.resolve({ ordinals: none, vectors });
    },
    clusters: LADDER.map(() => none) as unknown as ClusterLevels,
    places,
    freeCluster: LADDER.map(() => count),
    mostUnique: null,
    outlierDistance: null,
  };
}

const placedAmong = async (known: KnownItems): Promise<MapLayout> =>
  (await placeNewItems({ known, added, ladder: LADDER, threads: 1, scratch: tmpdir() })).layout;

const cosine = (first: number, second: number): number => {
  let sum = 0;
  for (let k = 0; k < DIMENSION; k++)
    sum += groups.vectors[first * DIMENSION + k]! * groups.vectors[second * DIMENSION + k]!;
  return sum;
};

describe('added items on the map', () => {
  it('are placed beside their nearest known item, each at a different place, deterministically', async () => {
    const part = partOf(0, KNOWN);
    const { layout } = await structureOfVectors({
      ...part,
      dimension: DIMENSION,
      ladder: LADDER,
      threads: 1,
    });
    const places = await placedAmong(knownWith(layout, part));
    const distances = Array.from(places.x, (x, at) => {
      const all = Array.from({ length: KNOWN }, (_, item) => cosine(KNOWN + at, item));
      const nearest = all.indexOf(Math.max(...all));
      return Math.hypot(x - layout.x[nearest]!, places.y[at]! - layout.y[nearest]!);
    });
    expect(Math.max(...distances)).toBeLessThan(0.25 / Math.sqrt(KNOWN) + 1e-6);
    expect(new Set(places.x).size).toBe(added.count);
    expect([...places.x, ...places.y].every((part) => part >= 0 && part <= 1)).toBe(true);
    expect(await placedAmong(knownWith(layout, part))).toEqual(places);
  });

  it('have no place in a table without places', async () => {
    const none = new Float32Array(KNOWN).fill(NaN);
    const { x, y } = await placedAmong(knownWith({ x: none, y: none }, partOf(0, KNOWN)));
    expect([...x, ...y].every(Number.isNaN)).toBe(true);
  });

  it('are laid out by themselves if no item is known', async () => {
    const none = { x: new Float32Array(), y: new Float32Array() };
    const { x, y } = await placedAmong(knownWith(none, partOf(0, 0)));
    const width = Math.max(...[x, y].map((axis) => Math.max(...axis) - Math.min(...axis)));
    expect(width).toBeCloseTo(0.98, 5);
  });
});
