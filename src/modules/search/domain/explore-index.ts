import { ENTITY_KINDS, LEVELS, type EntityKind, type Level } from '../../../common/engine/media-table/media-row';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { ClusterGrouping, type ClusterHits } from './cluster-grouping';
import { bestRows, type RowRanking } from './row-ranking';
import { ENTITY_TYPES, KINDS_OF, kindSet, type EntityType, type KindSet } from './entity-type';
import { inSlices, yieldTurn } from './in-slices';
import type { LabelCount, LabelIndex } from './label-index';

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
  private readonly ofKinds = new Map<KindSet, OrdinalSet>();

  private constructor(
    readonly columns: ExploreColumns,
    private readonly groupings: ReadonlyMap<string, ClusterGrouping>,
  ) {}

  static async build(columns: ExploreColumns): Promise<ExploreIndex> {
    const groupings = new Map<string, ClusterGrouping>();
    for (const entityType of ENTITY_TYPES) {
      const set = kindSet(KINDS_OF[entityType]);
      for (const level of entityType === 'VIDEOS' ? [LEVELS[0]] : LEVELS) {
        const clusterOf = entityType === 'VIDEOS' ? columns.videos.videoOf : columns.clusters[level]!;
        groupings.set(groupingKey(entityType, level), await ClusterGrouping.build(columns.kinds, set, clusterOf));
      }
    }
    return new ExploreIndex(columns, groupings);
  }

  get rows(): number {
    return this.columns.kinds.length;
  }

  get bytes(): number {
    const { kinds, clusters, videos, labels } = this.columns;
    const columns = [kinds, ...clusters, videos.videoOf, videos.rows].reduce(
      (sum, array) => sum + array.byteLength,
      labels.bytes,
    );
    return [...this.groupings.values()].reduce((sum, grouping) => sum + grouping.bytes, columns);
  }

  get kinds(): Int8Array {
    return this.columns.kinds;
  }

  get labels(): LabelIndex {
    return this.columns.labels;
  }

  /** Rows of any of the kinds. */
  async rowsOf(kinds: readonly EntityKind[]): Promise<OrdinalSet> {
    const set = kindSet(kinds);
    let rows = this.ofKinds.get(set);
    if (rows === undefined) {
      const found = OrdinalSet.none(this.rows);
      await inSlices(this.rows, (start, end) => {
        for (let row = start; row < end; row++) if (((set >> this.columns.kinds[row]!) & 1) === 1) found.add(row);
      });
      rows = found;
      this.ofKinds.set(set, rows);
    }
    return rows;
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
  largest(entityType: EntityType, level: Level, count: number): readonly ClusterHits[] {
    return this.grouping(entityType, level).page(0, count).clusters;
  }

  /** All members, whatever the filters. */
  membersOf(entityType: EntityType, level: Level, cluster: number): Int32Array {
    return this.grouping(entityType, level).membersOf(cluster);
  }

  /** Groups the rows otherwise than by clusters; `groupOf` is negative for rows without a group. */
  groupedBy(entityType: EntityType, groupOf: Int32Array): Promise<ClusterGrouping> {
    let grouping = this.otherGroupings.get(groupOf);
    if (grouping === undefined) {
      grouping = ClusterGrouping.build(this.columns.kinds, kindSet(KINDS_OF[entityType]), groupOf);
      this.otherGroupings.set(groupOf, grouping);
    }
    return grouping;
  }

  async page(query: ExploreQuery): Promise<ClusterPage> {
    const { entityType, level, page, matches, ranking } = query;
    const grouping = query.grouping ?? this.grouping(entityType, level);
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
    for (const row of hits) perKind[kinds[row]!]!++;
    const counts = Object.fromEntries(ENTITY_KINDS.map((kind, i) => [kind, perKind[i]!])) as Record<EntityKind, number>;
    const labels = this.columns.labels.mostFrequent(hits, LABELS_PER_CLUSTER);
    if (entityType !== 'VIDEOS') return { cluster, counts, previews: shown, labels, score, hits };
    const previews = [{ ordinal: this.columns.videos.rows[cluster]!, score }];
    return { cluster, counts: { ...counts, VIDEO: 1 }, previews, labels, score, hits };
  }

  private grouping(entityType: EntityType, level: Level): ClusterGrouping {
    return this.groupings.get(groupingKey(entityType, level))!;
  }
}

const groupingKey = (entityType: EntityType, level: Level): string =>
  entityType === 'VIDEOS' ? entityType : `${entityType}/${level}`;

/** Evenly spaced over the members, which are ordered by finer clusters, so that previews show the variety of a cluster. */
function spread(hits: Int32Array, limit: number): PreviewPlace[] {
  const count = Math.min(hits.length, limit);
  return Array.from({ length: count }, (_, i) => ({
    ordinal: hits[Math.floor((i * hits.length) / count)]!,
    score: null,
  }));
}
