import { tmpdir } from 'node:os';
import { knownGroups } from '../../../../../test/support/known-groups';
import { structureOfVectors } from '../../../../../test/support/structures';
import { LEAST_SIMILARITY } from '../near-duplicates';
import { placeNewItems } from './place-new-items';
import type { AddedItems, ClusterLevels, KnownItems, KnownVectors, Placement } from './placement';
import { NEIGHBOURS, SAME_BYTES, SAME_VECTOR, type MapLayout, type SimilarityStructure } from '../similarity-structure';

const LADDER = [0.95, 0.85, 0.75, 0.65, 0.55] as const;
const DIMENSION = 24;
/** Every third ordinal is a known item; the others are of a different kind. */
const STRIDE = 3;

const groups = knownGroups({ count: 750, dimension: DIMENSION, groups: 12, seed: 5, within: [0.6, 0.97] });
/** Chosen so that each group has known and added members. */
const ADDED_FROM = 600;

const pick = (items: readonly number[]): Float32Array => {
  const vectors = new Float32Array(new SharedArrayBuffer(items.length * DIMENSION * 4));
  items.forEach((item, at) => vectors.set(vectorOf(item), at * DIMENSION));
  return vectors;
};
const vectorOf = (item: number): Float32Array => groups.vectors.subarray(item * DIMENSION, (item + 1) * DIMENSION);
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
const contentsOf = (items: readonly number[]): Int32Array =>
  Int32Array.from(items, (item) => groups.contentGroup[item]!);

const structureOf = (items: readonly number[]): Promise<SimilarityStructure> =>
  structureOfVectors({
    count: items.length,
    dimension: DIMENSION,
    vectors: pick(items),
    contentGroup: contentsOf(items),
    ladder: LADDER,
    threads: 2,
  });

function byOrdinal({ x, y }: MapLayout, ordinals: number): MapLayout {
  const spread = (places: Float32Array): Float32Array => {
    const all = new Float32Array(ordinals).fill(NaN);
    places.forEach((place, at) => (all[at * STRIDE] = place));
    return all;
  };
  return { x: spread(x), y: spread(y) };
}

function knownFrom(items: readonly number[], structure: SimilarityStructure, batchRows = 100): KnownItems {
  const vectors = pick(items);
  const most = structure.uniqueness.indexOf(1);
  const far = structure.outlier.indexOf(Math.max(...structure.outlier));
  const farthest = structure.outlier[far]!;
  function* batches(): Generator<KnownVectors> {
    for (let from = 0; from < items.length; from += batchRows) {
      const to = Math.min(items.length, from + batchRows);
      yield {
        ordinals: Int32Array.from(range(from, to), (at) => at * STRIDE),
        vectors: vectors.slice(from * DIMENSION, to * DIMENSION),
      };
    }
  }
  return {
    count: items.length,
    dimension: DIMENSION,
    batches: async function* () {
      for (const batch of batches()) yield await Promise.resolve(batch);
    },
    places: byOrdinal(structure.layout, items.length * STRIDE),
    clusters: structure.clusters.map((level) => {
      const byOrdinal = new Int32Array(items.length * STRIDE).fill(-7);
      level.forEach((cluster, at) => (byOrdinal[at * STRIDE] = cluster));
      return byOrdinal;
    }) as unknown as ClusterLevels,
    freeCluster: structure.clusters.map((level) => Math.max(-1, ...level) + 1),
    mostUnique: most === -1 ? null : vectors.slice(most * DIMENSION, (most + 1) * DIMENSION),
    outlierDistance: farthest > 0 ? ((1 - structure.nearest[far]!) * (1 - farthest)) / farthest : null,
  };
}

function addedFrom(items: readonly number[], known: readonly number[]): AddedItems {
  const ordinals = new Map<number, number>();
  known.forEach((item, at) => {
    const content = groups.contentGroup[item]!;
    if (!ordinals.has(content)) ordinals.set(content, at * STRIDE);
  });
  const contentGroup = contentsOf(items);
  const knownCopy = contentGroup.map((content) => ordinals.get(content) ?? -1);
  return { count: items.length, vectors: pick(items), contentGroup, knownCopy };
}

const cosines = new Map<number, number>();

function cosine(first: number, second: number): number {
  const key = first * groups.count + second;
  const known = cosines.get(key);
  if (known !== undefined) return known;
  let sum = 0;
  for (let at = 0; at < DIMENSION; at++)
    sum += groups.vectors[first * DIMENSION + at]! * groups.vectors[second * DIMENSION + at]!;
  cosines.set(key, sum);
  return sum;
}

const isSameVector = (first: number, second: number): boolean =>
  cosine(first, second) > 1 - 1e-5 && Buffer.compare(bytesOf(first), bytesOf(second)) === 0;
const bytesOf = (item: number): Buffer => Buffer.from(vectorOf(item).slice().buffer);
const isSameBytes = (first: number, second: number): boolean =>
  groups.contentGroup[first] === groups.contentGroup[second];
const similarity = (first: number, second: number): number =>
  isSameBytes(first, second) || isSameVector(first, second) ? 1 : cosine(first, second);

describe('new items', () => {
  const known = range(0, ADDED_FROM);
  /** The last ones are known already, by their content. */
  const added = [...range(ADDED_FROM, groups.count), 3, 3, 40];
  let structure: SimilarityStructure;
  let placed: Placement;
  const knownOf = (ordinal: number): number => known[ordinal / STRIDE]!;

  beforeAll(async () => {
    structure = await structureOf(known);
    placed = await placeNewItems({
      known: knownFrom(known, structure),
      added: addedFrom(added, known),
      ladder: LADDER,
      threads: 2,
      scratch: tmpdir(),
    });
  });

  it('have the nearest of all items as neighbours', () => {
    added.forEach((item, at) => {
      const others = [...known, ...added.filter((_, other) => other !== at)];
      const best = Math.max(...others.map((other) => similarity(item, other)));
      expect(placed.nearest[at]).toBeCloseTo(best, 5);
    });
  });

  it('form each pair once, with its exact cosine, and copies distinguished from similar items', () => {
    const seen = new Set<string>();
    const pairs = [
      ...Array.from(placed.toKnown.first, (at, i): [number, number, number] => [
        added[at]!,
        knownOf(placed.toKnown.second[i]!),
        placed.toKnown.cosine[i]!,
      ]),
      ...Array.from(placed.among.first, (at, i): [number, number, number] => [
        added[at]!,
        added[placed.among.second[i]!]!,
        placed.among.cosine[i]!,
      ]),
    ];
    const told = { bytes: 0, vector: 0, alike: 0 };
    const wrong: object[] = [];
    const isRight = (first: number, second: number, value: number): boolean => {
      if (isSameBytes(first, second)) return value === SAME_BYTES;
      if (isSameVector(first, second)) return value === Math.fround(SAME_VECTOR);
      const isExact = value < SAME_VECTOR && Math.abs(value - cosine(first, second)) < 1e-6;
      return isExact && !seen.has(`${first} ${second}`);
    };
    for (const [first, second, value] of pairs) {
      if (!isRight(first, second, value)) wrong.push({ first, second, value });
      if (isSameBytes(first, second)) told.bytes += 1;
      else if (isSameVector(first, second)) told.vector += 1;
      else {
        told.alike += 1;
        seen.add(`${first} ${second}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(told.bytes).toBeGreaterThan(3);
    expect(told.alike).toBeGreaterThan(1000);
  });

  it('omit a near pair only if both items have the maximum number of nearer neighbours', () => {
    const same = (a: number, b: number): boolean => similarity(a, b) === 1;
    const fresh = added.map((item, at) => ({ item, at })).filter(({ item }) => !known.some((one) => same(item, one)));
    const firstOf = (items: readonly number[], item: number): boolean => items.find((one) => same(one, item)) === item;
    const distinctKnown = known.filter((item, at) => firstOf(known.slice(0, at + 1), item));
    const distinctFresh = fresh.filter(({ item }, at) =>
      firstOf(
        fresh.slice(0, at + 1).map((one) => one.item),
        item,
      ),
    );
    const paired = new Set(Array.from(placed.toKnown.first, (at, i) => `${at} ${knownOf(placed.toKnown.second[i]!)}`));
    let missing = 0;
    for (const { item, at } of distinctFresh) {
      for (const one of distinctKnown) {
        const value = cosine(item, one);
        if (value < LEAST_SIMILARITY + 1e-5 || paired.has(`${at} ${one}`)) continue;
        missing += 1;
        const nearer = distinctKnown.filter((other) => cosine(item, other) > value - 1e-6);
        const namers = distinctFresh.filter((other) => cosine(other.item, one) > value - 1e-6);
        expect(nearer.length).toBeGreaterThanOrEqual(NEIGHBOURS);
        expect(namers.length).toBeGreaterThanOrEqual(NEIGHBOURS);
      }
    }
    expect(missing).toBeGreaterThan(100);
  });

  it('join the clusters of known items or form new ones, nested', () => {
    let joined = 0;
    for (let level = 0; level < 5; level++) {
      const clusters = placed.clusters[level]!;
      const free = Math.max(...structure.clusters[level]!) + 1;
      const own = new Set([...clusters].filter((cluster) => cluster >= free));
      expect([...own].sort((a, b) => a - b)).toEqual(range(free, free + own.size));
      joined += [...clusters].filter((cluster) => cluster < free).length;
      if (level === 4) continue;
      const parents = new Map<number, number>();
      const nest = (cluster: number, parent: number): void => {
        expect(parents.get(cluster) ?? parent).toBe(parent);
        parents.set(cluster, parent);
      };
      structure.clusters[level]!.forEach((cluster, at) => nest(cluster, structure.clusters[level + 1]![at]!));
      clusters.forEach((cluster, at) => nest(cluster, placed.clusters[level + 1]![at]!));
    }
    expect(joined).toBeGreaterThan(added.length * 2);
    added.slice(-3).forEach((item, i) => {
      const at = added.length - 3 + i;
      expect(placed.clusters.map((level) => level[at])).toEqual(structure.clusters.map((level) => level[item]));
    });
  });

  it('are clustered as in a full index', async () => {
    const whole = await structureOf([...known, ...added]);
    const level = 2;
    let both = 0;
    let either = 0;
    for (let at = 0; at < added.length; at++) {
      const full = whole.clusters[level];
      for (let other = 0; other < known.length; other++) {
        const isTogether = placed.clusters[level][at] === structure.clusters[level][other];
        const wouldBe = full[known.length + at] === full[other];
        if (isTogether || wouldBe) either += 1;
        if (isTogether && wouldBe) both += 1;
      }
    }
    expect(both / either).toBeGreaterThan(0.8);
  });

  it('have the measures of a full index, if the scales are the same', async () => {
    const whole = await structureOf([...known, ...added]);
    const scale = structure.uniqueness.map((value, at) => value / whole.uniqueness[at]!);
    const usual = [...scale].filter(Number.isFinite).sort((a, b) => a - b)[scale.length >> 1]!;
    added.forEach((_, at) => {
      const there = whole.uniqueness[known.length + at]! * usual;
      if (there <= 1) expect(Math.abs(placed.uniqueness[at]! - there)).toBeLessThan(0.02);
    });
    expect(placed.outlier.every((value) => value >= 0 && value < 1)).toBe(true);
    const order = (values: Float32Array): number[] => range(0, added.length).sort((a, b) => values[a]! - values[b]!);
    const falling = placed.nearest.map((value) => 1 - value);
    expect(order(placed.outlier).map((at) => placed.outlier[at])).toEqual(
      order(falling).map((at) => placed.outlier[at]),
    );
  });

  it('have the same placement for any number of threads and batches', async () => {
    const again = await placeNewItems({
      known: knownFrom(known, structure, 7),
      added: addedFrom(added, known),
      ladder: LADDER,
      threads: 1,
      scratch: tmpdir(),
    });
    expect(again).toEqual(placed);
  });
});

describe('a few items', () => {
  const nobody = (): Promise<SimilarityStructure> => structureOf([]);

  it('are clustered as in a full index if there are no known items', async () => {
    const items = range(0, 200);
    const expected = await structureOf(items);
    const placed = await placeNewItems({
      known: knownFrom([], await nobody()),
      added: addedFrom(items, []),
      ladder: LADDER,
      threads: 2,
      scratch: tmpdir(),
    });
    expect(placed.among).toEqual({
      first: Int32Array.from(expected.edges.first),
      second: Int32Array.from(expected.edges.second),
      cosine: Float32Array.from(expected.edges.cosine),
    });
    expect(placed.toKnown.first).toHaveLength(0);
    placed.uniqueness.forEach((value, at) => expect(value).toBeCloseTo(expected.uniqueness[at]!, 5));
    placed.outlier.forEach((value, at) => expect(value).toBeCloseTo(expected.outlier[at]!, 5));
    for (let level = 0; level < 5; level++)
      expect(new Set(placed.clusters[level]).size).toBe(new Set(expected.clusters[level]).size);
  });

  it('may be empty', async () => {
    const known = range(0, 50);
    const placed = await placeNewItems({
      known: knownFrom(known, await structureOf(known)),
      added: addedFrom([], known),
      ladder: LADDER,
      threads: 2,
      scratch: tmpdir(),
    });
    expect(placed.nearest).toHaveLength(0);
    expect(placed.clusters.map((level) => level.length)).toEqual([0, 0, 0, 0, 0]);
  });

  it('may have the vector of a known item with different content', async () => {
    const known = range(0, 50);
    const added = { ...addedFrom([7, 7, 7], []), contentGroup: Int32Array.of(0, 1, 1) };
    const structure = await structureOf(known);
    const placed = await placeNewItems({
      known: knownFrom(known, structure),
      added,
      ladder: LADDER,
      threads: 2,
      scratch: tmpdir(),
    });
    expect([...placed.toKnown.first]).toEqual([0, 1]);
    expect([...placed.toKnown.cosine]).toEqual([SAME_VECTOR, SAME_VECTOR].map(Math.fround));
    const twin = placed.toKnown.second[0]! / STRIDE;
    expect(isSameVector(known[twin]!, 7)).toBe(true);
    expect(placed.among).toEqual({
      first: Int32Array.of(1),
      second: Int32Array.of(2),
      cosine: Float32Array.of(SAME_BYTES),
    });
    expect([...placed.nearest]).toEqual([1, 1, 1]);
    expect([...placed.uniqueness]).toEqual([0, 0, 0]);
    expect([...placed.outlier]).toEqual([0, 0, 0]);
  });

  it.each([
    ['follow one of three', [0.44, 0.53, 0.56], true],
    ['do not follow one of seven', [0.44, 0.53, 0.54, 0.55, 0.56, 0.57, 0.58], false],
  ])('that are similar %s into a known cluster', async (_, angles, doFollow) => {
    const turned = (all: readonly number[]): Float32Array => {
      const vectors = new Float32Array(new SharedArrayBuffer(all.length * 8));
      all.forEach((angle, at) => vectors.set([Math.cos(angle), Math.sin(angle)], at * 2));
      return vectors;
    };
    const ladder = [0.99999, 0.9, 0.9, 0.9, 0.9] as const;
    const none = { knownCopy: new Int32Array(angles.length).fill(-1) };
    const input = { count: angles.length, contentGroup: Int32Array.from(angles.keys()), vectors: turned(angles) };
    const clusters = ladder.map((_cut, level) => Int32Array.of(0, level === 0 ? 1 : 0)) as unknown as ClusterLevels;
    const placed = await placeNewItems({
      known: {
        count: 2,
        dimension: 2,
        batches: async function* () {
          yield await Promise.resolve({ ordinals: Int32Array.of(0, 1), vectors: turned([0, 0.05]) });
        },
        clusters,
        places: { x: Float32Array.of(0.2, 0.8), y: Float32Array.of(0.5, 0.5) },
        freeCluster: [2, 1, 1, 1, 1],
        mostUnique: null,
        outlierDistance: null,
      },
      added: { ...input, ...none },
      ladder,
      threads: 1,
      scratch: tmpdir(),
    });
    expect(placed.clusters[0].every((cluster) => cluster >= 2)).toBe(true);
    expect(placed.clusters[1][0]).toBe(0);
    expect([...placed.clusters[1].subarray(1)].every((cluster) => cluster === (doFollow ? 0 : 1))).toBe(true);
  });

  it('are rejected with the reason of an abort, or if the known items cannot be read', async () => {
    const known = range(0, 400);
    const items = knownFrom(known, await structureOf(known));
    const added = addedFrom(range(400, 500), known);
    const input = { known: items, added, ladder: LADDER, threads: 2, scratch: tmpdir() };
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('no longer wanted'));
    await expect(placeNewItems(input, { signal: controller.signal, onProgress })).rejects.toThrow('no longer wanted');
    await expect(placeNewItems(input, { signal: controller.signal })).rejects.toThrow('no longer wanted');
    const broken: KnownItems = {
      ...items,
      batches: async function* () {
        yield* items.batches();
        await Promise.reject(new Error('store gone'));
      },
    };
    await expect(placeNewItems({ ...input, known: broken })).rejects.toThrow('store gone');
    await expect(placeNewItems({ ...input, added: { ...input.added, count: 3 } })).rejects.toThrow(RangeError);
  });
});
