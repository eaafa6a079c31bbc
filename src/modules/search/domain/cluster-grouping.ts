import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { inSlices } from './in-slices';
import { atMostTheLowest } from './lowest-scores';
import { largestPlaces, orderBySize } from './order-by-size';
import { bestRows, type RowRanking } from './row-ranking';

/** Limit of additional clusters with indistinguishable approximate scores that are refined. */
const MOST_UNSURE = 4096;

export interface ClusterHits {
  readonly cluster: number;
  /** Ordinals of the matching members, ascending; never empty. */
  readonly hits: Int32Array;
}

export interface RankedHits extends ClusterHits {
  /** Score of the best row. */
  readonly score: number;
}

export interface RankedPage {
  readonly total: number;
  readonly clusters: readonly RankedHits[];
}

export interface HitsPage {
  /** Clusters with hits, on all pages. */
  readonly total: number;
  readonly clusters: readonly ClusterHits[];
}

/** The rows of some kinds. */
export interface RowsOfKinds {
  readonly set: OrdinalSet;
  /** Ascending. */
  readonly rows: Int32Array;
  readonly bytes: number;
}

interface BestScores {
  readonly best: Float32Array;
  /** The cluster of each score; absent if that is its place. */
  readonly clusters?: Int32Array;
}

/** Rows that are members of a cluster, cluster by cluster. */
interface Members {
  readonly set: OrdinalSet;
  readonly rows: Int32Array;
  /** Where those of each cluster begin. */
  readonly starts: Int32Array;
}

/** The members of each cluster at one level, largest cluster first. */
export class ClusterGrouping {
  /** Excludes the arrays that it was made of. */
  readonly bytes: number;
  private readonly grouped: OrdinalSet;
  private readonly members: Int32Array;
  private readonly starts: Int32Array;

  private constructor(
    of: RowsOfKinds,
    members: Members,
    readonly clusterOf: Int32Array,
    private readonly sizes: Int32Array,
    private readonly bySize: Int32Array,
  ) {
    ({ set: this.grouped, rows: this.members, starts: this.starts } = members);
    const own = members.rows === of.rows ? 0 : members.rows.byteLength + members.set.bytes;
    this.bytes = own + this.starts.byteLength + sizes.byteLength + bySize.byteLength;
  }

  /** Of the rows of some kinds; `clusterOf` has the cluster of each row, negative for none. */
  static async build(of: RowsOfKinds, clusterOf: Int32Array): Promise<ClusterGrouping> {
    const { rows } = of;
    let clusters = 0;
    await inSlices(rows.length, (start, end) => {
      for (let i = start; i < end; i++) if (clusterOf[rows[i]!]! >= clusters) clusters = clusterOf[rows[i]!]! + 1;
    });
    const sizes = new Int32Array(clusters);
    await inSlices(rows.length, (start, end) => {
      for (let i = start; i < end; i++) {
        const cluster = clusterOf[rows[i]!]!;
        if (cluster >= 0) sizes[cluster]!++;
      }
    });
    const members = (await asTheyLie(of, clusterOf, clusters)) ?? (await byCluster(of, clusterOf, sizes));
    return new ClusterGrouping(of, members, clusterOf, sizes, await orderBySize(sizes));
  }

  membersOf(cluster: number): Int32Array {
    const start = this.starts[cluster] ?? 0;
    return this.members.subarray(start, start + (this.sizes[cluster] ?? 0));
  }

  /** Clusters by descending number of members. */
  page(first: number, count: number): HitsPage {
    const shown = this.bySize.subarray(first, first + count);
    return {
      total: this.bySize.length,
      clusters: Array.from(shown, (cluster) => ({ cluster, hits: this.membersOf(cluster) })),
    };
  }

  /** Clusters by descending number of hits. */
  async pageOfMatches(matches: OrdinalSet, first: number, count: number): Promise<HitsPage> {
    const { clusterOf } = this;
    const hits = matches.and(this.grouped);
    const rows = hits.toArray();
    const sizes = new Int32Array(this.sizes.length);
    await inSlices(rows.length, (start, end) => {
      for (let i = start; i < end; i++) sizes[clusterOf[rows[i]!]!]!++;
    });
    const { places, filled } = await largestPlaces(sizes, first + count);
    return { total: filled, clusters: this.hitsOf(places.subarray(first), (row) => hits.has(row)) };
  }

  /** Clusters by the score of their best matching row; without `matches` all members match. */
  async pageOfRanked(
    ranking: RowRanking,
    matches: OrdinalSet | undefined,
    first: number,
    count: number,
  ): Promise<RankedPage> {
    const { approximate, tolerance } = ranking;
    const { best, clusters: known } = await this.ranked(ranking, matches);
    const { places: at, finite } = await atMostTheLowest(best, first + count, 2 * tolerance, MOST_UNSURE);
    if (first >= finite) return { total: finite, clusters: [] };
    const isResult = (row: number): boolean => approximate[row]! < Infinity && (matches?.has(row) ?? true);
    const places = known === undefined ? at : at.map((place) => known[place]!);
    const contenders = Array.from(places, (cluster, i) => {
      const farthest = best[at[i]!]! + 2 * tolerance;
      return this.membersThat(cluster, (row) => approximate[row]! <= farthest && isResult(row));
    });
    const bests = await bestRows(contenders, ranking, 1);
    const scores = new Map(Array.from(places, (cluster, i) => [cluster, bests[i]![0]!.score]));
    const shown = places.sort((a, b) => scores.get(a)! - scores.get(b)! || a - b).subarray(first, first + count);
    const clusters = this.hitsOf(shown, isResult).map((hits) => ({ ...hits, score: scores.get(hits.cluster)! }));
    return { total: finite, clusters };
  }

  private async ranked({ approximate, rows }: RowRanking, matches: OrdinalSet | undefined): Promise<BestScores> {
    if (rows !== undefined)
      return this.bestOfFew(
        rows.filter((row) => this.grouped.has(row) && (matches?.has(row) ?? true)),
        approximate,
      );
    const members = matches === undefined ? this.members : matches.and(this.grouped).toArray();
    return { best: await this.bestOf(members, approximate) };
  }

  private bestOfFew(members: Int32Array, approximate: Float32Array): BestScores {
    const best = new Map<number, number>();
    for (const row of members) {
      const cluster = this.clusterOf[row]!;
      best.set(cluster, Math.min(best.get(cluster) ?? Infinity, approximate[row]!));
    }
    return { best: Float32Array.from(best.values()), clusters: Int32Array.from(best.keys()) };
  }

  /** The lowest score in each cluster, over some of its members. */
  private async bestOf(members: Int32Array, approximate: Float32Array): Promise<Float32Array> {
    const { clusterOf } = this;
    const best = new Float32Array(this.sizes.length).fill(Infinity);
    await inSlices(members.length, (start, end) => {
      for (let i = start; i < end; i++) {
        const score = approximate[members[i]!]!;
        const cluster = clusterOf[members[i]!]!;
        if (score < best[cluster]!) best[cluster] = score;
      }
    });
    return best;
  }

  /** The matching members of some clusters. */
  private hitsOf(clusters: Int32Array, counts: (row: number) => boolean): ClusterHits[] {
    return Array.from(clusters, (cluster) => ({ cluster, hits: this.membersThat(cluster, counts) }));
  }

  private membersThat(cluster: number, counts: (row: number) => boolean): Int32Array {
    const members = this.membersOf(cluster);
    const hits = new Int32Array(members.length);
    let end = 0;
    for (const row of members) if (counts(row)) hits[end++] = row;
    return hits.subarray(0, end);
  }
}

/**
 * In a dataset that was indexed the rows of each cluster lie together, at every level, until others are added: then all levels share one list.
 * Undefined for other rows.
 */
async function asTheyLie(
  { set, rows }: RowsOfKinds,
  clusterOf: Int32Array,
  clusters: number,
): Promise<Members | undefined> {
  const starts = new Int32Array(clusters).fill(-1);
  let before: number | undefined;
  let apart = 0;
  await inSlices(rows.length, (start, end) => {
    for (let i = start; i < end && apart === 0; i++) {
      const cluster = clusterOf[rows[i]!]!;
      if (cluster === before) continue;
      if (cluster < 0 || starts[cluster]! >= 0) apart++;
      else starts[cluster] = i;
      before = cluster;
    }
  });
  return apart === 0 ? { set, rows, starts } : undefined;
}

async function byCluster({ set, rows }: RowsOfKinds, clusterOf: Int32Array, sizes: Int32Array): Promise<Members> {
  const grouped = OrdinalSet.none(set.rows);
  const starts = startsOf(sizes);
  const next = starts.slice();
  const members = new Int32Array(starts.at(-1)!);
  await inSlices(rows.length, (start, end) => {
    for (let i = start; i < end; i++) {
      const row = rows[i]!;
      const cluster = clusterOf[row]!;
      if (cluster < 0) continue;
      grouped.add(row);
      members[next[cluster]!++] = row;
    }
  });
  return { set: grouped, rows: members, starts };
}

function startsOf(sizes: Int32Array): Int32Array {
  const starts = new Int32Array(sizes.length + 1);
  for (let cluster = 0; cluster < sizes.length; cluster++) starts[cluster + 1] = starts[cluster]! + sizes[cluster]!;
  return starts;
}
