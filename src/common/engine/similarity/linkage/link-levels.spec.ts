import fc from 'fast-check';
import { inFile } from '../../../../../test/support/filed-rows';
import { fallingCuts } from './average-linkage';
import type { ClusterEdges } from './edge-list';
import { linkLevels } from './link-levels';

const LADDER = [0.95, 0.9, 0.8, 0.7, 0.5] as const;

function unit(values: readonly number[]): number[] {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0);

function everyPair(vectors: readonly (readonly number[])[]): ClusterEdges {
  const pairs = vectors.flatMap((_, second) => Array.from({ length: second }, (__, first) => [first, second] as const));
  return {
    first: Int32Array.from(pairs, ([first]) => first),
    second: Int32Array.from(pairs, ([, second]) => second),
    similarity: Float32Array.from(pairs, ([first, second]) => dot(vectors[first]!, vectors[second]!)),
  };
}

/** Keeps the vectors in a file and at most `room` of them in memory. */
const linked = (
  vectors: readonly (readonly number[])[],
  ladder: readonly number[] = LADDER,
  start = Int32Array.from(vectors.keys()),
  room = vectors.length,
): Promise<number[][]> =>
  inFile(vectors, room, async (store, pool) => {
    const rows = { store, edges: everyPair(vectors), isMeasured: false, start, ladder, pool };
    const { levels } = await linkLevels(rows, () => undefined);
    for (const row of vectors.keys()) {
      const { table, place } = await store.load(Int32Array.of(row));
      expect(table.row(place[row]!)).toEqual(Float32Array.from(vectors[row]!));
    }
    return levels.map((level) => [...level]);
  });

function groups(level: readonly number[]): number[][] {
  const members = new Map<number, number[]>();
  level.forEach((name, item) => members.set(name, [...(members.get(name) ?? []), item]));
  return [...members.values()];
}

const averageCosine = (vectors: readonly number[][], a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, i) => sum + b.reduce((inner, j) => inner + dot(vectors[i]!, vectors[j]!), 0), 0) /
  (a.length * b.length);

const vectorSets = fc.array(
  fc
    .tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: -9, max: 20 })))
    .filter((values) => values.some((value) => value !== 0))
    .map(unit),
  { minLength: 1, maxLength: 24 },
);

test('each cluster of a level is inside one cluster of the next', async () => {
  await fc.assert(
    fc.asyncProperty(vectorSets, async (vectors) => {
      const levels = await linked(vectors);
      for (let level = 1; level < levels.length; level++) {
        for (const group of groups(levels[level - 1]!)) {
          expect(new Set(group.map((item) => levels[level]![item])).size).toBe(1);
        }
      }
    }),
  );
});

test('no two clusters of a level have an average similarity of its cut or more', async () => {
  await fc.assert(
    fc.asyncProperty(vectorSets, async (vectors) => {
      (await linked(vectors)).forEach((level, at) => {
        const clusters = groups(level);
        clusters.forEach((first, one) => {
          for (const second of clusters.slice(one + 1)) {
            expect(averageCosine(vectors, first, second)).toBeLessThan(LADDER[at]! + 1e-5);
          }
        });
      });
    }),
  );
});

test('clusters of rows of which few fit into memory are nested, and join only similar rows', async () => {
  await fc.assert(
    fc.asyncProperty(vectorSets, fc.integer({ min: 4, max: 12 }), async (vectors, room) => {
      const levels = await linked(vectors, LADDER, undefined, room);
      levels.forEach((level, at) => {
        for (const group of groups(level)) {
          expect(new Set(group.map((item) => (levels[at + 1] ?? level)[item])).size).toBe(1);
          // Each of its merges had an average of at least the cut, so the average of all pairs is no lower.
          if (group.length > 1) expect(averageCosine([...vectors], group, group)).toBeGreaterThan(LADDER[at]! - 1e-4);
        }
      });
    }),
    { numRuns: 40 },
  );
});

test('a chain of similar items does not join its ends', async () => {
  const chain = Array.from({ length: 60 }, (_, at) => [Math.cos(at / 20), Math.sin(at / 20)]);
  const finest = (await linked(chain))[0]!;
  expect(finest[0]).not.toBe(finest[59]);
  for (const group of groups(finest)) {
    expect(dot(chain[group[0]!]!, chain[group.at(-1)!]!)).toBeGreaterThan(0.6);
  }
});

test('a bridge does not join two groups', async () => {
  const around = (angle: number): number[][] =>
    Array.from({ length: 30 }, (_, at) => [Math.cos(angle + at / 300), Math.sin(angle + at / 300)]);
  const bridge = Array.from({ length: 8 }, (_, at) => [
    Math.cos(0.1 + (at + 1) * 0.15),
    Math.sin(0.1 + (at + 1) * 0.15),
  ]);
  for (const level of await linked([...around(0), ...around(1.4), ...bridge], [0.97, 0.95, 0.9, 0.85, 0.8])) {
    expect(level[0]).not.toBe(level[30]);
  }
});

test('items that start in one cluster stay together', async () => {
  const vectors = [0, 0.1, 1, 1.1, 2].map((angle) => [Math.cos(angle), Math.sin(angle)]);
  const [level] = await linked(vectors, [0.99], Int32Array.of(0, 1, 2, 3, 0));
  expect(groups(level!)).toEqual([[0, 4], [1], [2, 3]]);
});

test('accepts no items and a single item', async () => {
  expect(await linked([])).toEqual([[], [], [], [], []]);
  expect(await linked([[1, 0]])).toEqual([[0], [0], [0], [0], [0]]);
});

test('the cuts descend and include every step of the ladder', () => {
  const cuts = fallingCuts(LADDER);
  expect(cuts).toEqual([...cuts].sort((a, b) => b - a));
  for (const step of LADDER) expect(cuts).toContain(step);
  expect(cuts.at(-1)).toBe(0.5);
  expect(fallingCuts([0.99, 0.99, 0.99, 0.99, 0.99])).toEqual([0.99]);
});
