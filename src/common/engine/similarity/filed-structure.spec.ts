import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownGroups } from '../../../../test/support/known-groups';
import { Random } from '../../../../test/support/random';
import { pairAgreement } from '../../../model-tools/pair-agreement';
import { structureOfVectors } from '../../../../test/support/structures';
import { computeLabelIssues, computeSimilarityStructure, type SimilarityOptions } from './compute-similarity-structure';
import type { FiledSimilarityInput, SimilarityInput, SimilarityStructure } from './similarity-structure';
import { strideOf } from './vectors/vector-table';

const LADDER = [0.95, 0.85, 0.7, 0.6, 0.5] as const;

type Vectors = Pick<SimilarityInput, 'count' | 'dimension' | 'vectors' | 'contentGroup'>;

const parent = mkdtempSync(join(tmpdir(), 'filed-structure-'));
afterAll(() => {
  rmSync(parent, { recursive: true, force: true });
});

/** With room for all vectors. */
const withRoom = (vectors: Vectors): SimilarityInput => ({ ...vectors, ladder: LADDER, threads: 2 });

/** With the least memory that is allowed, so that every step of the computation needs several batches. */
function inFiles({ count, dimension, vectors, contentGroup }: Vectors, threads = 2): FiledSimilarityInput {
  const folder = mkdtempSync(join(parent, 'run-'));
  const stride = strideOf(dimension);
  const padded = new Float32Array(count * stride);
  for (let row = 0; row < count; row++)
    padded.set(vectors.subarray(row * dimension, (row + 1) * dimension), row * stride);
  const vectorFile = join(folder, 'vectors');
  const file = openSync(vectorFile, 'wx');
  writeSync(file, padded);
  closeSync(file);
  const memory = { bytes: 1, folder };
  return { count, dimension, contentGroup, vectorFile, memory, ladder: LADDER, threads };
}

/** Random directions. */
function vectorsOf(
  count: number,
  dimension: number,
  fill: (row: Float32Array, at: number, random: Random) => void,
): Vectors {
  const random = new Random(7);
  const vectors = new Float32Array(new SharedArrayBuffer(count * dimension * 4));
  for (let at = 0; at < count; at++) {
    const row = vectors.subarray(at * dimension, (at + 1) * dimension);
    fill(row, at, random);
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
    if (length > 0) for (let k = 0; k < dimension; k++) row[k]! /= length;
  }
  return { count, dimension, vectors, contentGroup: Int32Array.from({ length: count }, (_, at) => at) };
}

const anywhere = (row: Float32Array, random: Random): void => {
  for (let k = 0; k < row.length; k++) row[k] = random.next() + random.next() - 1;
};

function expectNested({ clusters }: SimilarityStructure): void {
  for (let level = 1; level < 5; level++) {
    const outer = new Map<number, number>();
    const torn = clusters[level - 1]!.filter((cluster, item) => {
      const known = outer.get(cluster);
      outer.set(cluster, clusters[level]![item]!);
      return known !== undefined && known !== clusters[level]![item];
    });
    expect(torn).toHaveLength(0);
  }
}

const edgesOf = ({ edges }: SimilarityStructure): Map<string, number> => {
  const pairs = new Map<string, number>();
  edges.first.forEach((first, at) => pairs.set(`${first} ${edges.second[at]}`, edges.cosine[at]!));
  return pairs;
};

describe('items in known groups', () => {
  // Not a multiple of 16, and more than fit into memory.
  const known = knownGroups({ count: 18_500, dimension: 44, groups: 350, seed: 9 });
  const labels = {
    count: 5,
    start: Int32Array.from({ length: known.count + 1 }, (_, item) => item),
    values: known.group.map((group, item) => (item % 50 === 0 ? group + 1 : group) % 5),
  };
  let held: SimilarityStructure;
  let filed: SimilarityStructure;
  const input = inFiles(known);

  beforeAll(async () => {
    held = await structureOfVectors({ ...withRoom(known), labels });
    filed = await computeSimilarityStructure(input);
  });

  test('files of vectors are removed as soon as they are no longer needed', () => {
    expect(readdirSync(input.memory.folder).sort()).toEqual(['smoothed', 'smoothed-sums']);
  });

  test('edges and nearest neighbours equal those of the computation with room for all vectors', () => {
    const [expected, found] = [edgesOf(held), edgesOf(filed)];
    const different = [...expected].filter(([pair, cosine]) => found.get(pair) !== cosine);
    expect(different.length).toBeLessThanOrEqual(expected.size / 10_000);
    expect(Math.abs(found.size - expected.size)).toBeLessThanOrEqual(expected.size / 10_000);
    expect(filed.nearest.filter((cosine, item) => cosine !== held.nearest[item]).length).toBeLessThan(10);
  });

  test('clusters match the groups as well as in memory, and are nested', () => {
    expectNested(filed);
    filed.clusters.forEach((level, at) => {
      const [ours, theirs] = [level, held.clusters[at]!].map((each) => pairAgreement(each, known.group));
      expect(ours!.f1).toBeCloseTo(theirs!.f1, 2);
    });
  });

  test('similar items are near each other on the map', () => {
    const apart = (x: Float32Array): number => {
      const distances = known.planted.map(([original, copy]) => Math.abs(x[original]! - x[copy]!));
      return distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
    };
    expect(apart(filed.layout.x)).toBeLessThan(Math.max(0.02, 2 * apart(held.layout.x)));
  });

  test('the number of threads does not affect the result', async () => {
    expect(await computeSimilarityStructure(inFiles(known, 1))).toEqual(filed);
  });

  test('label issues equal those of the computation with room for all vectors', async () => {
    const found = await computeLabelIssues({ ...inFiles(known), labels });
    const different = found.suggested.filter((label, item) => label !== held.labelIssues!.suggested[item]);
    expect(different.length).toBeLessThanOrEqual(known.count / 1000);
  });
});

const shareOfLargest = (level: Int32Array): number => {
  const sizes = new Map<number, number>();
  for (const cluster of level) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  return Math.max(...sizes.values()) / level.length;
};

test('vectors without groups have their nearest neighbours', async () => {
  const vectors = vectorsOf(17_500, 20, (row, _, random) => anywhere(row, random));
  const [held, filed] = [
    await structureOfVectors({ ...withRoom(vectors), isMapped: false }),
    await computeSimilarityStructure({ ...inFiles(vectors), isMapped: false }),
  ];
  expect(filed.nearest.filter((cosine, item) => cosine !== held.nearest[item]).length).toBeLessThan(175);
  expectNested(filed);
});

test('equal vectors are copies of the first', async () => {
  const vectors = vectorsOf(30_000, 20, (row) => row.fill(1));
  const { edges, nearest, clusters } = await computeSimilarityStructure({ ...inFiles(vectors), isMapped: false });
  expect(edges.first).toHaveLength(29_999);
  expect(nearest.every((cosine) => cosine === 1)).toBe(true);
  expect(clusters.every((level) => level.every((cluster) => cluster === 0))).toBe(true);
});

test('a group that does not fit into memory stays one cluster, and zero vectors have no place', async () => {
  const centre = new Float32Array(20).map((_, k) => Math.sin(k + 1));
  const vectors = vectorsOf(20_000, 20, (row, at, random) => {
    if (at % 1000 === 1) return;
    anywhere(row, random);
    const scale = at % 8 === 0 ? 1 : 0.3;
    for (let k = 0; k < row.length; k++) row[k] = scale * row[k]! + (at % 8 === 0 ? 0 : centre[k]!);
  });
  const copied = vectors.contentGroup.map((content, item) => (item % 500 === 7 ? 7 : content));
  for (let item = 7; item < vectors.count; item += 500) vectors.vectors.copyWithin(item * 20, 7 * 20, 8 * 20);
  const { clusters, layout, nearest, edges } = await computeSimilarityStructure(
    inFiles({ ...vectors, contentGroup: copied }),
  );
  expectNested({ clusters } as SimilarityStructure);
  expect(shareOfLargest(clusters[2])).toBeGreaterThan(0.8);
  expect(layout.x[1]).toBeNaN();
  expect(nearest[507]).toBe(1);
  expect(edges.cosine.filter((cosine) => cosine === 1)).toHaveLength(39);
});

test('splits a cell with too many nearly equal vectors', async () => {
  const vectors = vectorsOf(18_000, 20, (row, at, random) => {
    anywhere(row, random);
    for (let k = 0; k < row.length; k++) row[k] = 0.0001 * row[k]! + (at % 2 === 0 ? Math.sin(k) : Math.cos(k));
  });
  const { clusters, nearest } = await computeSimilarityStructure({ ...inFiles(vectors), isMapped: false });
  expect(nearest.every((cosine) => cosine > 0.9999)).toBe(true);
  expect(new Set(clusters[0])).toEqual(new Set([0, 1]));
});

test('an abort at any time rejects with its reason', async () => {
  const known = knownGroups({ count: 17_500, dimension: 32, groups: 400 });
  for (const from of [0.1, 0.5, 0.79]) {
    const controller = new AbortController();
    const onProgress: SimilarityOptions['onProgress'] = (part) => {
      if (part >= from) controller.abort(new Error(`no longer wanted from ${from}`));
    };
    const computed = computeSimilarityStructure(inFiles(known), { signal: controller.signal, onProgress });
    await expect(computed).rejects.toThrow(`no longer wanted from ${from}`);
  }
});

test('a full disk rejects with its code', async () => {
  const known = knownGroups({ count: 17_500, dimension: 32, groups: 400 });
  const input = inFiles(known);
  // Every write to this device fails with ENOSPC.
  symlinkSync('/dev/full', join(input.memory.folder, 'near'));
  await expect(computeSimilarityStructure(input)).rejects.toMatchObject({ code: 'ENOSPC' });
});

test('vectors in memory and in a file have the same structure', async () => {
  const known = knownGroups({ count: 3000, dimension: 44, groups: 60, seed: 3 });
  const expected = await structureOfVectors(withRoom(known));
  expect(await computeSimilarityStructure(inFiles(known))).toEqual(expected);
});
