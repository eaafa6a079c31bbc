import { knownGroups, type KnownGroups } from '../../../../test/support/known-groups';
import { structureOfVectors } from '../../../../test/support/structures';
import type { SimilarityOptions } from './compute-similarity-structure';
import { EXACT_LIMIT } from './neighbours/neighbour-search';
import type { SimilarityInput, SimilarityStructure } from './similarity-structure';

const LADDER = [0.95, 0.85, 0.7, 0.6, 0.5] as const;

function inputOf(vectors: readonly (readonly number[])[]): SimilarityInput {
  const dimension = vectors[0]?.length ?? 4;
  const flat = new Float32Array(new SharedArrayBuffer(vectors.length * dimension * 4));
  vectors.forEach((vector, row) => {
    const length = Math.hypot(...vector);
    flat.set(
      vector.map((value) => value / length),
      row * dimension,
    );
  });
  const contentGroup = Int32Array.from(vectors, (_, item) => item);
  return { count: vectors.length, dimension, vectors: flat, contentGroup, ladder: LADDER, threads: 2 };
}

const compute = (input: SimilarityInput, options?: SimilarityOptions): Promise<SimilarityStructure> =>
  structureOfVectors(input, options);

const ofGroups = (known: KnownGroups, threads = 2): SimilarityInput => ({ ...known, ladder: LADDER, threads });

function cosine({ vectors, dimension }: SimilarityInput, first: number, second: number): number {
  let sum = 0;
  for (let k = 0; k < dimension; k++) sum += vectors[first * dimension + k]! * vectors[second * dimension + k]!;
  return sum;
}

function expectNested(structure: SimilarityStructure): void {
  for (let level = 1; level < 5; level++) {
    const outer = new Map<number, number>();
    structure.clusters[level - 1]!.forEach((cluster, item) => {
      const parent = structure.clusters[level]![item]!;
      if ((outer.get(cluster) ?? parent) !== parent)
        throw new Error(`Cluster ${cluster} of level ${level - 1} is torn`);
      outer.set(cluster, parent);
    });
  }
}

describe('a few items', () => {
  test('no items have an empty structure', async () => {
    const structure = await compute(inputOf([]));
    expect(structure.nearest).toHaveLength(0);
    expect(structure.clusters.map((level) => level.length)).toEqual([0, 0, 0, 0, 0]);
  });

  test("two dense groups that only fill each other's neighbour lists are not joined", async () => {
    const members = Array.from({ length: 14 }, (_, item) => {
      const vector = new Array<number>(16).fill(0);
      [vector[0], vector[1]] = item < 7 ? [1, 0] : [0.55, 0.835];
      vector[2 + item] = 0.2;
      return vector;
    });
    const { clusters } = await compute(inputOf(members));
    const families = members.map((_, item) => (item < 7 ? 0 : 1));
    for (const level of [0, 1, 2, 3]) expect([...clusters[level]!]).toEqual(families);
    expect([...clusters[4]]).toEqual(members.map(() => 0));
  });

  test('a single item is unique and has no neighbours', async () => {
    const structure = await compute(inputOf([[1, 2, 3]]));
    expect([...structure.nearest]).toEqual([-1]);
    expect([...structure.uniqueness]).toEqual([1]);
    expect([...structure.outlier]).toEqual([0]);
    expect(structure.clusters.map((level) => [...level])).toEqual([[0], [0], [0], [0], [0]]);
    expect(structure.edges.first).toHaveLength(0);
  });

  test('two similar items are joined by an edge and in the coarser clusters', async () => {
    const structure = await compute(
      inputOf([
        [1, 0, 0],
        [0.9, 0.435889894, 0],
      ]),
    );
    expect(structure.nearest[0]).toBeCloseTo(0.9, 6);
    expect([...structure.edges.first]).toEqual([0]);
    expect([...structure.edges.second]).toEqual([1]);
    expect(structure.clusters.map((level) => [...level])).toEqual([
      [0, 1],
      [0, 0],
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  test('items with the same bytes have a cosine of 1', async () => {
    const structure = await compute({
      ...inputOf([
        [1, 0],
        [0, 1],
        [0, 1],
      ]),
      contentGroup: Int32Array.of(0, 5, 5),
    });
    expect([...structure.nearest]).toEqual([0, 1, 1]);
    expect([...structure.edges.cosine]).toEqual([1]);
    expect([...structure.uniqueness]).toEqual([1, 0, 0]);
    expect([...structure.clusters[4]]).toEqual([1, 0, 0]);
  });
});

test('a hundred thousand identical items form one cluster', async () => {
  const count = 100_000;
  const vectors = new Float32Array(new SharedArrayBuffer(count * 16 * 4)).fill(0.25);
  const contentGroup = Int32Array.from({ length: count }, (_, item) => item);
  const structure = await compute({ count, dimension: 16, vectors, contentGroup, ladder: LADDER, threads: 2 });
  expect(structure.edges.first).toHaveLength(count - 1);
  expect(structure.nearest.every((similarity) => similarity === 1)).toBe(true);
  expect(structure.uniqueness.every((score) => score === 0)).toBe(true);
  expect(structure.outlier.every((confidence) => confidence === 0)).toBe(true);
  expect(structure.clusters.every((level) => level.every((cluster) => cluster === 0))).toBe(true);
});

describe('items in known groups', () => {
  const few = knownGroups({ count: 3000, dimension: 60, groups: 60, seed: 3 });
  const many = knownGroups({ count: EXACT_LIMIT + 500, dimension: 48, groups: 300, seed: 4 });
  const structures = new Map<KnownGroups, Promise<SimilarityStructure>>();
  /** Each structure is computed once, by three threads. */
  const structureOf = (known: KnownGroups): Promise<SimilarityStructure> => {
    const structure = structures.get(known) ?? compute(ofGroups(known, 3));
    structures.set(known, structure);
    return structure;
  };

  test.each([
    ['exactly', few],
    ['by cells', many],
  ])('searched %s: cosines are exact and planted copies are found', async (_, known) => {
    const input = ofGroups(known);
    const { edges, nearest, clusters } = await structureOf(known);
    const wrong: object[] = [];
    for (let edge = 0; edge < edges.first.length; edge += 7) {
      const [first, second] = [edges.first[edge]!, edges.second[edge]!];
      const error = Math.abs(edges.cosine[edge]! - cosine(input, first, second));
      if (!(first < second && error < 1e-6)) wrong.push({ first, second, error });
    }
    expect(wrong).toEqual([]);
    const missed = known.planted.filter(
      ([original, copy]) =>
        nearest[copy]! < cosine(input, original, copy) - 1e-6 || clusters[0][original] !== clusters[0][copy],
    );
    expect(missed).toEqual([]);
    const copies = known.contentGroup
      .map((content, item) => (content === item ? -1 : item))
      .filter((item) => item >= 0);
    expect(copies.every((item) => nearest[item] === 1)).toBe(true);
  });

  test('the nearest neighbour is the nearest of all items', async () => {
    const input = ofGroups(few);
    const { nearest } = await structureOf(few);
    for (let item = 0; item < few.count; item += 29) {
      let best = -1;
      for (let other = 0; other < few.count; other++)
        if (other !== item) best = Math.max(best, cosine(input, item, other));
      expect(nearest[item]).toBeCloseTo(best, 5);
    }
  });

  test('the number of threads does not affect the result', async () => {
    const alone = await compute(ofGroups(many, 1));
    expectNested(alone);
    expect(await structureOf(many)).toEqual(alone);
  });
});

test('an abort rejects with its reason, and progress never decreases', async () => {
  const known = knownGroups({ count: 20_000, dimension: 64, groups: 200 });
  const controller = new AbortController();
  const seen: number[] = [];
  const onProgress = (fraction: number): void => {
    seen.push(fraction);
    controller.abort(new Error('no longer wanted'));
  };
  await expect(compute(ofGroups(known), { signal: controller.signal, onProgress })).rejects.toThrow('no longer wanted');
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  await expect(compute(ofGroups(known), { signal: controller.signal })).rejects.toThrow('no longer wanted');
});

test('computations reuse an idle thread or run concurrently, also after one that failed', async () => {
  const pair = inputOf([
    [1, 0, 0],
    [0.9, 0.435889894, 0],
  ]);
  const expected = await compute(pair);
  expect(await Promise.all([compute(pair), compute(pair)])).toEqual([expected, expected]);
  const controller = new AbortController();
  const aborted = compute(pair, { signal: controller.signal });
  controller.abort(new Error('no longer wanted'));
  await expect(aborted).rejects.toThrow('no longer wanted');
  expect(await compute(pair)).toEqual(expected);
});

test('rejects an ascending ladder and vectors of the wrong length', async () => {
  const input = inputOf([[1, 0]]);
  await expect(compute({ ...input, ladder: [0.5, 0.6, 0.4, 0.3, 0.2] })).rejects.toThrow('The ladder must fall');
  await expect(compute({ ...input, count: 2 })).rejects.toThrow(RangeError);
  await expect(compute({ ...input, vectors: Float32Array.of(1, 0) })).rejects.toThrow('shared memory');
});
