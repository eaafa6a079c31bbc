import fc from 'fast-check';
import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { ENTITY_KINDS, LEVELS, type EntityKind, type Level } from '../../../../common/engine/media-table/media-row';
import { KINDS_OF, type EntityType } from '../../domain/entity-type';
import { CLUSTERS_PER_PAGE, ExploreIndex, type ClusterSummary } from './explore-index';
import { LabelIndex } from '../../columns/domain/label-index';

interface Row {
  readonly kind: EntityKind;
  /** For frames: the index of the video among the videos. */
  readonly video?: number;
  readonly clusters: readonly number[];
  readonly labels: readonly string[];
}

const row = (kind: EntityKind, cluster: number, labels: string[] = [], video?: number): Row => ({
  kind,
  clusters: LEVELS.map((level) => (kind === 'VIDEO' ? -1 : cluster >> level)),
  labels,
  ...(video === undefined ? {} : { video }),
});

async function indexOf(rows: readonly Row[]): Promise<ExploreIndex> {
  const labels = LabelIndex.builder(rows.length);
  rows.forEach((each) => labels.add(each.labels));
  const videoRows = rows.flatMap((each, i) => (each.kind === 'VIDEO' ? [i] : []));
  return new ExploreIndex({
    kinds: Int8Array.from(rows, (each) => ENTITY_KINDS.indexOf(each.kind)),
    clusters: LEVELS.map((level) => Int32Array.from(rows, (each) => each.clusters[level]!)),
    videos: {
      videoOf: Int32Array.from(rows, (each, i) => (each.kind === 'VIDEO' ? videoRows.indexOf(i) : (each.video ?? -1))),
      rows: Int32Array.from(videoRows),
    },
    labels: await labels.build(),
  });
}

/** Reference implementation with maps and sorting. */
function expectedSizes(
  rows: readonly Row[],
  entityType: EntityType,
  level: number,
  matches: readonly number[],
): [number, number][] {
  const sizes = new Map<number, number>();
  for (const i of matches) {
    const { kind, clusters } = rows[i]!;
    if (!KINDS_OF[entityType].includes(kind) || clusters[level]! < 0) continue;
    sizes.set(clusters[level]!, (sizes.get(clusters[level]!) ?? 0) + 1);
  }
  return [...sizes].sort(([a, sizeA], [b, sizeB]) => sizeB - sizeA || a - b);
}

const sizeOf = ({ counts }: ClusterSummary): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
const shown = ({ previews }: ClusterSummary): number[] => previews.map(({ ordinal }) => ordinal);
const sizesOf = (clusters: readonly ClusterSummary[]): [number, number][] =>
  clusters.map((each) => [each.cluster, sizeOf(each)]);

const anyRow = fc
  .tuple(
    fc.constantFrom<EntityKind>('IMAGE', 'IMAGE', 'FRAME', 'OBJECT', 'VIDEO'),
    fc.integer({ min: -1, max: 40 }),
    fc.subarray(['a', 'b', 'c']),
  )
  .map(([kind, cluster, labels]) => row(kind, cluster, labels));
const anyType = fc.constantFrom<EntityType>('IMAGES', 'OBJECTS');

describe('ExploreIndex', () => {
  it('orders clusters like the reference, with and without matches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRow, { maxLength: 120 }),
        anyType,
        fc.constantFrom(...LEVELS),
        fc.infiniteStream(fc.boolean()),
        fc.constantFrom(-1, 0, 1),
        async (drawn, entityType, level, coin, rising) => {
          const rows = drawn.toSorted((a, b) => rising * (a.clusters[0]! - b.clusters[0]!));
          const index = await indexOf(rows);
          const every = rows.map((_, i) => i);
          const some = every.filter(() => coin.next().value);
          const all = await index.page({ entityType, level, page: 0 });
          expect(sizesOf(all.clusters)).toEqual(expectedSizes(rows, entityType, level, every));
          const found = await index.page({ entityType, level, page: 0, matches: OrdinalSet.of(rows.length, some) });
          expect(sizesOf(found.clusters)).toEqual(expectedSizes(rows, entityType, level, some));
          for (const { cluster, previews, ...summary } of found.clusters) {
            expect(previews.length).toBe(Math.min(9, sizeOf({ cluster, previews, ...summary })));
            expect(new Set(previews.map(({ ordinal }) => ordinal)).size).toBe(previews.length);
            for (const { ordinal } of previews) {
              expect(some).toContain(ordinal);
              expect(rows[ordinal]!.clusters[level]).toBe(cluster);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('ranks few rows like all rows if the others have no score', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRow, { maxLength: 120 }),
        anyType,
        fc.constantFrom(...LEVELS),
        fc.infiniteStream(fc.boolean()),
        fc.infiniteStream(fc.constantFrom(0, 0.25, 0.5, 1, Infinity)),
        async (rows, entityType, level, coin, score) => {
          const index = await indexOf(rows);
          const flip = (): boolean => coin.next().value === true;
          const known = Int32Array.from(rows.keys()).filter(flip);
          const approximate = new Float32Array(rows.length).fill(Infinity);
          for (const each of known) approximate[each] = Number(score.next().value);
          const refine = (ordinals: Int32Array) =>
            Promise.resolve(Float32Array.from(ordinals, (at) => approximate[at]!));
          const ranking = { approximate, tolerance: 0, refine };
          const matches = OrdinalSet.of(rows.length, Int32Array.from(rows.keys()).filter(flip));
          for (const query of [
            { entityType, level, page: 0 },
            { entityType, level, page: 0, matches },
          ]) {
            const few = await index.page({ ...query, ranking: { ...ranking, rows: known } });
            expect(few).toEqual(await index.page({ ...query, ranking }));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('returns pages, and no results after the last page', async () => {
    const index = await indexOf(Array.from({ length: 250 }, (_, i) => row('IMAGE', i)));
    const pages = await Promise.all([0, 1, 2, 3].map((page) => index.page({ entityType: 'IMAGES', level: 0, page })));
    expect(pages.map((page) => page.clusters.length)).toEqual([CLUSTERS_PER_PAGE, CLUSTERS_PER_PAGE, 50, 0]);
    expect(pages.map((page) => page.totalClusters)).toEqual([250, 250, 250, 250]);
    expect(pages.flatMap((page) => page.clusters.map((each) => each.cluster))).toEqual(
      Array.from({ length: 250 }, (_, i) => i),
    );
  });

  it('counts images and frames of a cluster separately', async () => {
    const index = await indexOf([row('IMAGE', 0), row('FRAME', 0), row('FRAME', 0), row('OBJECT', 0)]);
    const { clusters } = await index.page({ entityType: 'IMAGES', level: 0, page: 0 });
    expect(clusters[0]!.counts).toEqual({ IMAGE: 1, FRAME: 2, VIDEO: 0, OBJECT: 0 });
    expect(shown(clusters[0]!)).toEqual([0, 1, 2]);
  });

  it('returns each video once, whichever frames match', async () => {
    const rows = [
      row('VIDEO', 0),
      row('VIDEO', 0),
      row('FRAME', 5, [], 1),
      row('FRAME', 6, [], 1),
      row('FRAME', 7, [], 0),
    ];
    const index = await indexOf(rows);
    const all = await index.page({ entityType: 'VIDEOS', level: 4, page: 0 });
    expect(all.clusters.map((each) => [shown(each), each.counts.FRAME, each.counts.VIDEO])).toEqual([
      [[1], 2, 1],
      [[0], 1, 1],
    ]);
    const found = await index.page({
      entityType: 'VIDEOS',
      level: 0,
      page: 0,
      matches: OrdinalSet.of(index.rows, [4]),
    });
    expect(found.clusters.map(shown)).toEqual([[0]]);
    expect([index.videoRowOf(2), index.videoRowOf(4)]).toEqual([1, 0]);
  });

  it('lists rows once for all levels if the rows of each cluster are adjacent', async () => {
    // Numbered otherwise than they lie.
    const rows = Array.from({ length: 3200 }, (_, i) => row('IMAGE', 99 - (i >> 5)));
    const added = row('IMAGE', 99);
    const grownBy = async (level: Level, of: readonly Row[]): Promise<number> => {
      const index = await indexOf(of);
      await index.page({ entityType: 'IMAGES', level: 0, page: 0 });
      const before = index.bytes;
      await index.page({ entityType: 'IMAGES', level, page: 0 });
      return index.bytes - before;
    };
    // Of a cluster: where it begins, its size, and its place by size.
    expect(await grownBy(1, rows)).toBe(4 * 3 * 50);
    expect(await grownBy(0, rows)).toBe(0);
    expect(await grownBy(1, [...rows, added])).toBe(4 * 3 * 50 + 4 + 4 * 3201 + 4 * 101);
  });

  it('spreads previews over a large cluster', async () => {
    const index = await indexOf(Array.from({ length: 90 }, () => row('IMAGE', 0)));
    const { clusters } = await index.page({ entityType: 'IMAGES', level: 0, page: 0 });
    expect(shown(clusters[0]!)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80]);
  });

  it('returns the most frequent labels of the hits', async () => {
    const rows = [row('IMAGE', 0, ['a', 'b']), row('IMAGE', 0, ['b']), row('IMAGE', 0, ['c']), row('IMAGE', 9, ['z'])];
    const index = await indexOf(rows);
    const { clusters } = await index.page({ entityType: 'IMAGES', level: 0, page: 0 });
    expect(clusters[0]!.labels).toEqual([
      { label: 'b', count: 2 },
      { label: 'a', count: 1 },
      { label: 'c', count: 1 },
    ]);
    expect(index.labelsOf(0)).toEqual(['a', 'b']);
  });

  it('is empty without rows', async () => {
    const index = await indexOf([]);
    const nothing = { totalClusters: 0, clusters: [] };
    expect(await index.page({ entityType: 'IMAGES', level: 0, page: 0 })).toMatchObject(nothing);
    expect(
      await index.page({ entityType: 'OBJECTS', level: 0, page: 0, matches: OrdinalSet.none(index.rows) }),
    ).toMatchObject(nothing);
  });
});
