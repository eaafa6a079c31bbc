import fc from 'fast-check';
import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { ClusterGrouping } from './cluster-grouping';
import { bestRows, type RowRanking } from './row-ranking';

const TOLERANCE = 0.05;

/** Exact scores, and the approximate ones of a quantised scan. */
const ranked = fc.array(
  fc.record({
    cluster: fc.nat(8),
    score: fc.oneof(
      fc.constant(Infinity),
      fc.integer({ min: 0, max: 200 }).map((value) => value / 100),
    ),
    error: fc.integer({ min: -100, max: 100 }).map((value) => (value * TOLERANCE) / 101),
    matches: fc.boolean(),
  }),
  { minLength: 1, maxLength: 150 },
);
type Rows = typeof ranked extends fc.Arbitrary<infer T> ? T : never;

function rankingOf(rows: Rows): RowRanking {
  return {
    approximate: Float32Array.from(rows, ({ score, error }) => score + error),
    tolerance: TOLERANCE,
    refine: (ordinals) => Promise.resolve(Float32Array.from(ordinals, (row) => rows[row]!.score)),
  };
}

const byScore = (rows: Rows, ordinals: readonly number[]): number[] =>
  [...ordinals].sort((a, b) => rows[a]!.score - rows[b]!.score || a - b);

it('orders rows by their exact score', async () => {
  await fc.assert(
    fc.asyncProperty(ranked, fc.integer({ min: 1, max: 12 }), async (rows, limit) => {
      const results = rows.flatMap(({ score }, i) => (score < Infinity ? [i] : []));
      const [best] = await bestRows([Int32Array.from(results)], rankingOf(rows), limit);
      expect(best!.map(({ ordinal }) => ordinal)).toEqual(byScore(rows, results).slice(0, limit));
    }),
  );
});

it('puts the anchor before its copies', async () => {
  const rows = [0, 0, 0].map((score) => ({ cluster: 0, score, error: 0, matches: true }));
  const [best] = await bestRows([Int32Array.of(0, 1, 2)], { ...rankingOf(rows), self: 2 }, 3);
  expect(best!.map(({ ordinal }) => ordinal)).toEqual([2, 0, 1]);
});

it('orders clusters by the exact score of their best row', async () => {
  await fc.assert(
    fc.asyncProperty(
      ranked,
      fc.boolean(),
      fc.nat(6),
      fc.integer({ min: 1, max: 4 }),
      async (rows, filtered, first, count) => {
        const clusterOf = Int32Array.from(rows, ({ cluster }) => cluster);
        const grouping = await ClusterGrouping.build(
          { set: OrdinalSet.all(rows.length), rows: Int32Array.from(rows.keys()), bytes: 0 },
          clusterOf,
        );
        const counting = rows.flatMap(({ matches, score }, i) =>
          (!filtered || matches) && score < Infinity ? [i] : [],
        );
        const matches = rows.flatMap((row, i) => (row.matches ? [i] : []));
        const found = await grouping.pageOfRanked(
          rankingOf(rows),
          filtered ? OrdinalSet.of(rows.length, matches) : undefined,
          first,
          count,
        );
        const best = new Map<number, number>();
        for (const row of byScore(rows, counting).reverse()) best.set(rows[row]!.cluster, rows[row]!.score);
        const expected = [...best].sort(([a, scoreA], [b, scoreB]) => scoreA - scoreB || a - b);
        expect(found.total).toBe(expected.length);
        expect(found.clusters.map(({ cluster, score }) => [cluster, Math.fround(score)])).toEqual(
          expected.slice(first, first + count).map(([cluster, score]) => [cluster, Math.fround(score)]),
        );
        for (const { cluster, hits } of found.clusters)
          expect([...hits]).toEqual(counting.filter((row) => rows[row]!.cluster === cluster));
      },
    ),
  );
});
