import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { inSlices, yieldTurn } from '../../../../common/platform/concurrency/in-slices';
import { atMostTheLowest, lowestRows, rowsUpTo, scoredRows, type ManyRows } from './lowest-scores';
import { largestPlaces, orderBySize } from './order-by-size';
import { bestRows, type RowRanking } from './row-ranking';

/** Limit of additional clusters with indistinguishable approximate scores that are refined. */
const MOST_UNSURE = 4096;

/** Below this many rows, sort rather than allocate per cluster. */
const FEW_ROWS = 2 ** 14;
/** The number of rows with the lowest scores that are considered, or more for more clusters. */
const LOWEST_ROWS = 2 ** 12;
const ROWS_A_CLUSTER = 32;

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
  /** How many clusters have a score, if more than are here. */
  readonly total?: number;
}

/** The members that a page is made of. */
interface MatchingMembers extends ManyRows {
  /** Those of a cluster, ascending. */
  readonly of: (cluster: number) => Int32Array;
  /** The number of their clusters, if it is known. */
  readonly total?: number;
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
  /** Whether the rows of each cluster come one after the other. */
  private readonly lieTogether: boolean;

  private constructor(
    of: RowsOfKinds,
    members: Members,
    readonly clusterOf: Int32Array,
    private readonly sizes: Int32Array,
    private readonly bySize: Int32Array,
  ) {
    ({ set: this.grouped, rows: this.members, starts: this.starts } = members);
    this.lieTogether = members.rows === of.rows;
    const own = this.lieTogether ? 0 : members.rows.byteLength + members.set.bytes;
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
    const set = matches.and(this.grouped);
    const sizes = new Int32Array(this.sizes.length);
    await inSlices(set.rows, (start, end) => set.countBy(clusterOf, sizes, start, end));
    const { places, filled } = await largestPlaces(sizes, first + count);
    return {
      total: filled,
      clusters: Array.from(places.subarray(first), (cluster) => ({ cluster, hits: this.membersIn(set, cluster) })),
    };
  }

  /** Clusters by the score of their best matching row; without `matches` all members match. */
  async pageOfRanked(
    ranking: RowRanking,
    matches: OrdinalSet | undefined,
    first: number,
    count: number,
  ): Promise<RankedPage> {
    const { approximate, tolerance } = ranking;
    const wanted = first + count;
    const matching = this.results(ranking, matches);
    const { best, clusters: known, total } = await this.bests(ranking, matching, wanted);
    await yieldTurn();
    const { places: at, finite } = await atMostTheLowest(best, wanted, 2 * tolerance, MOST_UNSURE);
    const all = total ?? finite;
    if (first >= finite) return { total: all, clusters: [] };
    const places = known === undefined ? at : at.map((place) => known[place]!);
    await yieldTurn();
    const contenders = Array.from(places, (cluster, i) => {
      const farthest = best[at[i]!]! + 2 * tolerance;
      return rowsUpTo(farthest, matching.of(cluster), approximate);
    });
    await yieldTurn();
    const bests = await bestRows(contenders, ranking, 1);
    const scores = new Map(Array.from(places, (cluster, i) => [cluster, bests[i]![0]!.score]));
    const shown = places.sort((a, b) => scores.get(a)! - scores.get(b)! || a - b).subarray(first, wanted);
    const clusters = Array.from(shown, (cluster) => ({
      cluster,
      hits: scoredRows(matching.of(cluster), approximate),
      score: scores.get(cluster)!,
    }));
    return { total: all, clusters };
  }

  private get everyMember(): MatchingMembers {
    return {
      rows: this.members,
      set: this.grouped,
      of: (cluster) => this.membersOf(cluster),
      total: this.bySize.length,
    };
  }

  private matching(matches: OrdinalSet): MatchingMembers {
    const set = matches.and(this.grouped);
    return { rows: set.toArray(), set, of: (cluster) => this.membersIn(set, cluster) };
  }

  /** Ascending; of a set of grouped rows. */
  private membersIn(set: OrdinalSet, cluster: number): Int32Array {
    const members = this.membersOf(cluster);
    if (!this.lieTogether || members.length === 0) return members.filter((row) => set.has(row));
    return set.toArray(members[0], members.at(-1)! + 1);
  }

  private results({ approximate, rows }: RowRanking, matches: OrdinalSet | undefined): MatchingMembers {
    if (rows === undefined) return matches === undefined ? this.everyMember : this.matching(matches);
    const found = rows.filter((row) => approximate[row]! < Infinity && (matches?.has(row) ?? true));
    return this.matching(OrdinalSet.of(this.grouped.rows, found));
  }

  /** The lowest score of each cluster, or of the clusters that may be among the first. */
  private async bests(ranking: RowRanking, matching: MatchingMembers, wanted: number): Promise<BestScores> {
    const { rows } = matching;
    if (rows.length <= FEW_ROWS) return this.bestOfFew(rows, ranking.approximate);
    return (await this.bestOfNear(ranking, matching, wanted)) ?? { best: await this.bestOf(rows, ranking.approximate) };
  }

  /** By the rows with the lowest scores alone; undefined if other clusters may be among the first too. */
  private async bestOfNear(
    ranking: RowRanking,
    matching: MatchingMembers,
    wanted: number,
  ): Promise<BestScores | undefined> {
    const { approximate, tolerance } = ranking;
    const near = await lowestRows(matching, ranking, Math.max(LOWEST_ROWS, ROWS_A_CLUSTER * wanted));
    if (near === undefined) return undefined;
    const found = this.bestOfFew(near.rows, approximate);
    const farthest = near.bound - 2 * tolerance;
    if (found.best.filter((score) => score <= farthest).length < wanted) return undefined;
    const known = near.areAllFinite ? matching.total : undefined;
    return { ...found, total: known ?? (await this.clustersWithScore(matching.rows, approximate)) };
  }

  /** By sorting them: most clusters have none of a few rows. */
  private bestOfFew(rows: Int32Array, approximate: Float32Array): BestScores {
    const { length } = rows;
    const sorted = new Float64Array(length);
    for (let at = 0; at < length; at++) sorted[at] = this.clusterOf[rows[at]!]! * length + at;
    sorted.sort();
    const clusters = new Int32Array(length);
    const best = new Float32Array(length);
    let end = 0;
    for (const each of sorted) {
      const cluster = Math.floor(each / length);
      const score = approximate[rows[each - cluster * length]!]!;
      if (end > 0 && clusters[end - 1] === cluster) {
        if (score < best[end - 1]!) best[end - 1] = score;
      } else {
        clusters[end] = cluster;
        best[end++] = score;
      }
    }
    return { best: best.subarray(0, end), clusters: clusters.subarray(0, end) };
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

  private async clustersWithScore(members: Int32Array, approximate: Float32Array): Promise<number> {
    const { clusterOf } = this;
    const seen = OrdinalSet.none(this.sizes.length);
    let clusters = 0;
    await inSlices(members.length, (start, end) => {
      for (let i = start; i < end; i++) {
        const cluster = clusterOf[members[i]!]!;
        if (approximate[members[i]!] === Infinity || seen.has(cluster)) continue;
        seen.add(cluster);
        clusters++;
      }
    });
    return clusters;
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
