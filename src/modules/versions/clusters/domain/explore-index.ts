import { ENTITY_KINDS, type EntityKind, type Level } from '../../../../common/engine/media-table/media-row';
import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { ClusterGrouping, type ClusterHits, type RowsOfKinds } from './cluster-grouping';
import { bestRows, type RowRanking } from './row-ranking';
import { KINDS_OF, kindSet, type EntityType, type KindSet } from '../../domain/entity-type';
import { inSlices, yieldTurn } from '../../../../common/platform/concurrency/in-slices';
import type { LabelCount, LabelIndex } from '../../columns/domain/label-index';

export const CLUSTERS_PER_PAGE = 100;
const PREVIEWS_PER_CLUSTER = 9;
const LABELS_PER_CLUSTER = 10;

/** The columns of a table version that clusters and groups are made of; arrays by ordinal. */
export interface ExploreColumns {
  readonly kinds: Int8Array;
  /** The cluster of each row at each level; negative for none. */
  readonly clusters: readonly Int32Array[];
  readonly videos: VideoMembership;
  readonly labels: LabelIndex;
}

export interface VideoMembership {
  /** The index of the video, for videos and their frames; else negative. */
  readonly videoOf: Int32Array;
  /** The row of each video. */
  readonly rows: Int32Array;
}

export interface ExploreQuery {
  readonly entityType: EntityType;
  readonly level: Level;
  /** 0-based. */
  readonly page: number;
  /** All rows when absent. */
  readonly matches?: OrdinalSet | undefined;
  /** By cluster size when absent. */
  readonly ranking?: RowRanking | undefined;
  /** Groups to use instead of the clusters of the level. */
  readonly grouping?: ClusterGrouping | undefined;
}

export interface PreviewPlace {
  readonly ordinal: number;
  readonly score: number | null;
}

export interface ClusterSummary {
  readonly cluster: number;
  readonly counts: Readonly<Record<EntityKind, number>>;
  readonly previews: readonly PreviewPlace[];
  /** Score of the best row; null if clusters are ordered by size. */
  readonly score: number | null;
  readonly labels: readonly LabelCount[];
  /** Ordinals of the members that match. */
  readonly hits: Int32Array;
}

export interface ClusterPage {
  readonly totalClusters: number;
  /** The cluster of each row, on all pages. */
  readonly clusterOf: Int32Array;
  readonly clusters: readonly ClusterSummary[];
}

/** The clusters of one version of a dataset, in memory. Counts hits, orders clusters, and selects pages and previews. */
export class ExploreIndex {
  /** Weak, so that a grouping is freed with the array that it was made of. */
  private readonly otherGroupings = new WeakMap<Int32Array, Promise<ClusterGrouping>>();
  private readonly groupings = new Map<string, Promise<ClusterGrouping>>();
  private readonly ofKinds = new Map<KindSet, Promise<RowsOfKinds>>();
  private bytesMade = 0;

  constructor(readonly columns: ExploreColumns) {}

  /** The same clusters with other labels; what either makes later, both have. */
  withLabels(labels: LabelIndex): ExploreIndex {
    const columns = { ...this.columns, labels };
    return Object.assign(Object.create(ExploreIndex.prototype) as ExploreIndex, this, { columns });
  }

  get rows(): number {
    return this.columns.kinds.length;
  }

  /** Grows with the levels and types that were asked for. */
  get bytes(): number {
    const { kinds, clusters, videos, labels } = this.columns;
    const arrays = [kinds, ...clusters, videos.videoOf, videos.rows];
    return arrays.reduce((sum, array) => sum + array.byteLength, labels.bytes + this.bytesMade);
  }

  get kinds(): Int8Array {
    return this.columns.kinds;
  }

  get labels(): LabelIndex {
    return this.columns.labels;
  }

  /** Rows of any of the kinds. */
  async rowsOf(kinds: readonly EntityKind[]): Promise<OrdinalSet> {
    return (await this.rowsOfKinds(kinds)).set;
  }

  kindOf(ordinal: number): EntityKind {
    return ENTITY_KINDS[this.columns.kinds[ordinal]!]!;
  }

  labelsOf(ordinal: number): string[] {
    return this.columns.labels.of(ordinal);
  }

  /** The row of the video that a frame was cut from. */
  videoRowOf(ordinal: number): number | undefined {
    const video = this.columns.videos.videoOf[ordinal];
    return video === undefined || video < 0 ? undefined : this.columns.videos.rows[video];
  }

  /** The largest clusters, with all members. */
  async largest(entityType: EntityType, level: Level, count: number): Promise<readonly ClusterHits[]> {
    return (await this.grouping(entityType, level)).page(0, count).clusters;
  }

  /** All members, whatever the filters. */
  async membersOf(entityType: EntityType, level: Level, cluster: number): Promise<Int32Array> {
    return (await this.grouping(entityType, level)).membersOf(cluster);
  }

  /** Groups the rows otherwise than by clusters; `groupOf` is negative for rows without a group. */
  groupedBy(entityType: EntityType, groupOf: Int32Array): Promise<ClusterGrouping> {
    let grouping = this.otherGroupings.get(groupOf);
    if (grouping === undefined) {
      grouping = this.rowsOfKinds(KINDS_OF[entityType]).then((rows) => ClusterGrouping.build(rows, groupOf));
      this.otherGroupings.set(groupOf, grouping);
    }
    return grouping;
  }

  async page(query: ExploreQuery): Promise<ClusterPage> {
    const { entityType, level, page, matches, ranking } = query;
    const grouping = query.grouping ?? (await this.grouping(entityType, level));
    const first = page * CLUSTERS_PER_PAGE;
    if (ranking !== undefined) {
      const found = await grouping.pageOfRanked(ranking, matches, first, CLUSTERS_PER_PAGE);
      const lists = found.clusters.map(({ hits }) => hits);
      const best = await bestRows(lists, ranking, PREVIEWS_PER_CLUSTER);
      await yieldTurn();
      const clusters = found.clusters.map(({ score, ...hits }, i) => this.summary(entityType, hits, best[i]!, score));
      return { totalClusters: found.total, clusterOf: grouping.clusterOf, clusters };
    }
    const found =
      matches === undefined
        ? grouping.page(first, CLUSTERS_PER_PAGE)
        : await grouping.pageOfMatches(matches, first, CLUSTERS_PER_PAGE);
    await yieldTurn();
    return {
      totalClusters: found.total,
      clusterOf: grouping.clusterOf,
      clusters: found.clusters.map((hits) =>
        this.summary(entityType, hits, spread(hits.hits, PREVIEWS_PER_CLUSTER), null),
      ),
    };
  }

  private summary(
    entityType: EntityType,
    { cluster, hits }: ClusterHits,
    shown: readonly PreviewPlace[],
    score: number | null,
  ): ClusterSummary {
    const { kinds } = this.columns;
    const perKind = new Int32Array(ENTITY_KINDS.length);
    for (let i = 0; i < hits.length; i++) perKind[kinds[hits[i]!]!]!++;
    const counts = Object.fromEntries(ENTITY_KINDS.map((kind, i) => [kind, perKind[i]!])) as Record<EntityKind, number>;
    const labels = this.columns.labels.mostFrequent(hits, LABELS_PER_CLUSTER);
    if (entityType !== 'VIDEOS') return { cluster, counts, previews: shown, labels, score, hits };
    const previews = [{ ordinal: this.columns.videos.rows[cluster]!, score }];
    return { cluster, counts: { ...counts, VIDEO: 1 }, previews, labels, score, hits };
  }

  private grouping(entityType: EntityType, level: Level): Promise<ClusterGrouping> {
    const key = entityType === 'VIDEOS' ? entityType : `${entityType}/${level}`;
    return this.made(this.groupings, key, async () => {
      const { videos, clusters } = this.columns;
      const clusterOf = entityType === 'VIDEOS' ? videos.videoOf : clusters[level]!;
      return ClusterGrouping.build(await this.rowsOfKinds(KINDS_OF[entityType]), clusterOf);
    });
  }

  private rowsOfKinds(kinds: readonly EntityKind[]): Promise<RowsOfKinds> {
    const set = kindSet(kinds);
    return this.made(this.ofKinds, set, () => listRows(this.columns.kinds, set));
  }

  /** Made when it is first asked for, and counted. */
  private made<K, V extends { readonly bytes: number }>(
    all: Map<K, Promise<V>>,
    key: K,
    make: () => Promise<V>,
  ): Promise<V> {
    let making = all.get(key);
    if (making === undefined) {
      making = make().then((made) => {
        this.bytesMade += made.bytes;
        return made;
      });
      all.set(key, making);
    }
    return making;
  }
}

async function listRows(kinds: Int8Array, wanted: KindSet): Promise<RowsOfKinds> {
  const set = OrdinalSet.none(kinds.length);
  const isWanted = (row: number): boolean => ((wanted >> kinds[row]!) & 1) === 1;
  let count = 0;
  await inSlices(kinds.length, (start, end) => {
    for (let row = start; row < end; row++) {
      if (!isWanted(row)) continue;
      set.add(row);
      count++;
    }
  });
  const rows = new Int32Array(count);
  let end = 0;
  await inSlices(kinds.length, (first, last) => {
    for (let row = first; row < last; row++) if (isWanted(row)) rows[end++] = row;
  });
  return { set, rows, bytes: set.bytes + rows.byteLength };
}

/** Evenly spaced over the members, which are ordered by finer clusters, so that previews show the variety of a cluster. */
function spread(hits: Int32Array, limit: number): PreviewPlace[] {
  const count = Math.min(hits.length, limit);
  return Array.from({ length: count }, (_, i) => ({
    ordinal: hits[Math.floor((i * hits.length) / count)]!,
    score: null,
  }));
}
