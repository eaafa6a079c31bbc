import { Random } from '../../../../../test/support/random';
import { leastOfRunsOf } from '../../../../../test/support/runs';
import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { ClusterGrouping, type RankedPage } from './cluster-grouping';

/** So many that the first clusters are looked for among the rows with the lowest scores. */
const ROWS = 60_000;
const CLUSTERS = 9_000;
const PAGE = 100;
const TOLERANCE = 0.01;

const random = new Random(4);
const together = Int32Array.from({ length: ROWS }, (_, row) => Math.floor((row * CLUSTERS) / ROWS));
const apart = Int32Array.from({ length: ROWS }, () => random.integer(CLUSTERS + 1) - 1);
const isGrouped = (row: number): boolean => row % 7 !== 3;

async function grouped(clusterOf: Int32Array): Promise<ClusterGrouping> {
  const rows = Int32Array.from(clusterOf.keys()).filter(isGrouped);
  const set = OrdinalSet.of(ROWS, rows);
  return ClusterGrouping.build({ rows, set, bytes: 0 }, clusterOf);
}

/** By a map and sorting. */
function expected(clusterOf: Int32Array, scores: Float32Array, matches: OrdinalSet | undefined): RankedPage {
  const hits = new Map<number, number[]>();
  for (let row = 0; row < ROWS; row++) {
    const isHit = isGrouped(row) && clusterOf[row]! >= 0 && scores[row]! < Infinity && (matches?.has(row) ?? true);
    if (isHit) hits.set(clusterOf[row]!, [...(hits.get(clusterOf[row]!) ?? []), row]);
  }
  const clusters = Array.from(hits, ([cluster, rows]) => ({
    cluster,
    hits: Int32Array.from(rows),
    score: Math.min(...rows.map((row) => scores[row]!)),
  }));
  clusters.sort((a, b) => a.score - b.score || a.cluster - b.cluster);
  return { total: clusters.length, clusters };
}

const SCORES: Readonly<Record<string, () => number>> = {
  'that all differ': () => random.next(),
  'most of which are infinite': () => (random.next() < 0.02 ? random.next() : Infinity),
  'a few of which are infinite': () => (random.next() < 0.999 ? random.next() : Infinity),
  'of which many are equal': () => random.integer(3) / 2,
  'that are all equal': () => 0.5,
};

describe('clusters of many rows by their best row', () => {
  it.each(Object.keys(SCORES))('are those of a plain sort, by scores %s', async (kind) => {
    for (const clusterOf of [together, apart]) {
      const grouping = await grouped(clusterOf);
      const exact = Float32Array.from({ length: ROWS }, () => SCORES[kind]!());
      const isExact = kind.includes('equal');
      const tolerance = isExact ? 0 : TOLERANCE;
      const approximate = exact.map((score) => score + random.between(-tolerance, tolerance));
      const refine = (rows: Int32Array): Promise<Float32Array> =>
        Promise.resolve(Float32Array.from(rows, (row) => exact[row]!));
      const half = OrdinalSet.of(
        ROWS,
        Int32Array.from(together.keys()).filter(() => random.next() < 0.5),
      );
      const scored = OrdinalSet.of(
        ROWS,
        Int32Array.from(together.keys()).filter((row) => exact[row]! < Infinity),
      );
      for (const matches of [undefined, half]) {
        const all = expected(clusterOf, exact, matches);
        for (const first of [0, 3 * PAGE])
          for (const atOnce of [undefined, { leastOfRuns: leastOfRunsOf(approximate), scored }]) {
            const page = await grouping.pageOfRanked({ approximate, atOnce, tolerance, refine }, matches, first, PAGE);
            expect(page).toEqual({ ...all, clusters: all.clusters.slice(first, first + PAGE) });
          }
      }
    }
  });

  it('have the matching members as hits, regardless of their positions', async () => {
    for (const clusterOf of [together, apart]) {
      const grouping = await grouped(clusterOf);
      const some = Int32Array.from(clusterOf.keys()).filter((row) => row % 5 === 0);
      const { total, clusters } = await grouping.pageOfMatches(OrdinalSet.of(ROWS, some), 0, CLUSTERS);
      const hits = some.filter((row) => isGrouped(row) && clusterOf[row]! >= 0);
      expect(total).toBe(new Set(hits.map((row) => clusterOf[row]!)).size);
      for (const { cluster, hits: found } of clusters.slice(0, PAGE))
        expect([...found]).toEqual([...hits.filter((row) => clusterOf[row] === cluster)]);
    }
  });
});
