import type { KindSet } from './entity-type';
import { inSlices } from './in-slices';
import { countFinite, lowestPlaces } from './lowest-scores';
import { orderBySize } from './order-by-size';
import { bestRows, type RowRanking } from './row-ranking';

/** Of clusters that can't be told apart by approximate score so many more are looked at than are wanted. */
const MOST_UNSURE = 4096;

export interface ClusterHits {
  readonly cluster: number;
  /** Ordinals of the members that count, ascending; never empty. */
  readonly hits: Int32Array;
}

export interface RankedHits extends ClusterHits {
  /** Of its best row. */
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

/** The members of each cluster at one level, the largest cluster first. */
export class ClusterGrouping {
  private constructor(
    private readonly kinds: Int8Array,
    private readonly set: KindSet,
    readonly clusterOf: Int32Array,
    /** Members of cluster c lie from starts[c] to starts[c + 1]. */
    private readonly starts: Int32Array,
    private readonly members: Int32Array,
    private readonly bySize: Int32Array,
  ) {}

  /** `clusterOf` holds the cluster of each row, or a negative number. */
  static async build(kinds: Int8Array, set: KindSet, clusterOf: Int32Array): Promise<ClusterGrouping> {
    const isMember = (row: number): boolean => ((set >> kinds[row]!) & 1) === 1 && clusterOf[row]! >= 0;
    let clusters = 0;
    await inSlices(kinds.length, (start, end) => {
      for (let row = start; row < end; row++)
        if (isMember(row) && clusterOf[row]! >= clusters) clusters = clusterOf[row]! + 1;
    });
    const sizes = new Int32Array(clusters);
    await inSlices(kinds.length, (start, end) => {
      for (let row = start; row < end; row++) if (isMember(row)) sizes[clusterOf[row]!]!++;
    });
    const starts = startsOf(sizes);
    const members = new Int32Array(starts[clusters]!);
    const next = starts.slice(0, clusters);
    await inSlices(kinds.length, (start, end) => {
      for (let row = start; row < end; row++) if (isMember(row)) members[next[clusterOf[row]!]!++] = row;
    });
    return new ClusterGrouping(kinds, set, clusterOf, starts, members, await orderBySize(sizes));
  }

  /** Without the arrays it was given. */
  get bytes(): number {
    return this.starts.byteLength + this.members.byteLength + this.bySize.byteLength;
  }

  membersOf(cluster: number): Int32Array {
    return this.members.subarray(this.starts[cluster] ?? 0, this.starts[cluster + 1] ?? 0);
  }

  /** Clusters by falling number of members. */
  page(first: number, count: number): HitsPage {
    const shown = this.bySize.subarray(first, first + count);
    return {
      total: this.bySize.length,
      clusters: Array.from(shown, (cluster) => ({ cluster, hits: this.membersOf(cluster) })),
    };
  }

  /** Clusters by falling number of hits among the matches, which ascend. */
  async pageOfMatches(matches: Int32Array, first: number, count: number): Promise<HitsPage> {
    const { clusterOf } = this;
    const members = await this.membersAmong(matches);
    const sizes = new Int32Array(this.starts.length - 1);
    await inSlices(members.length, (start, end) => {
      for (let i = start; i < end; i++) sizes[clusterOf[members[i]!]!]!++;
    });
    const bySize = await orderBySize(sizes);
    const shown = bySize.subarray(first, first + count);
    const clusters = Array.from(shown, (cluster) => ({ cluster, hits: new Int32Array(sizes[cluster]!) }));
    const slotOf = new Int32Array(sizes.length).fill(-1);
    shown.forEach((cluster, slot) => (slotOf[cluster] = slot));
    const ends = new Int32Array(shown.length);
    await inSlices(members.length, (start, end) => {
      for (let i = start; i < end; i++) {
        const slot = slotOf[clusterOf[members[i]!]!]!;
        if (slot >= 0) clusters[slot]!.hits[ends[slot]!++] = members[i]!;
      }
    });
    return { total: bySize.length, clusters };
  }

  /** Clusters by the score of their best row among the matches; all members match when there are none given. */
  async pageOfRanked(
    ranking: RowRanking,
    matches: Int32Array | undefined,
    first: number,
    count: number,
  ): Promise<RankedPage> {
    const { approximate } = ranking;
    const { clusterOf } = this;
    const members = matches === undefined ? this.members : await this.membersAmong(matches);
    const best = new Float32Array(this.starts.length - 1).fill(Infinity);
    await inSlices(members.length, (start, end) => {
      for (let i = start; i < end; i++) {
        const score = approximate[members[i]!]!;
        const cluster = clusterOf[members[i]!]!;
        if (score < best[cluster]!) best[cluster] = score;
      }
    });
    const total = await countFinite(best);
    if (first >= total) return { total, clusters: [] };
    const candidates = await this.candidatesForBest(best, ranking, first + count);
    const isResult = (row: number): boolean => approximate[row]! < Infinity;
    const hits = await this.hitsOf(candidates, matches && members, isResult);
    const bests = await bestRows(
      hits.map((each) => each.hits),
      ranking,
      1,
    );
    const clusters = hits
      .map((each, i) => ({ ...each, score: bests[i]![0]!.score }))
      .sort((a, b) => a.score - b.score || a.cluster - b.cluster)
      .slice(first, first + count);
    return { total, clusters };
  }

  /** The clusters that may be among the `wanted` best. */
  private async candidatesForBest(best: Float32Array, { tolerance }: RowRanking, wanted: number): Promise<Int32Array> {
    const lowest = await lowestPlaces(best, wanted);
    if (tolerance === 0) return lowest;
    const bound = lowest.reduce((most, cluster) => Math.max(most, best[cluster]!), -Infinity) + 2 * tolerance;
    const within = await lowestPlaces(best, wanted + MOST_UNSURE);
    return within.filter((cluster) => best[cluster]! <= bound);
  }

  /** The matching members of some clusters. */
  private async hitsOf(
    clusters: Int32Array,
    members: Int32Array | undefined,
    counts: (row: number) => boolean,
  ): Promise<ClusterHits[]> {
    if (members === undefined)
      return Array.from(clusters, (cluster) => ({ cluster, hits: this.membersOf(cluster).filter(counts) }));
    const slotOf = new Int32Array(this.starts.length - 1).fill(-1);
    clusters.forEach((cluster, slot) => (slotOf[cluster] = slot));
    const hits = Array.from(clusters, (): number[] => []);
    await inSlices(members.length, (start, end) => {
      for (let i = start; i < end; i++) {
        const row = members[i]!;
        const slot = slotOf[this.clusterOf[row]!]!;
        if (slot >= 0 && counts(row)) hits[slot]!.push(row);
      }
    });
    return Array.from(clusters, (cluster, slot) => ({ cluster, hits: Int32Array.from(hits[slot]!) }));
  }

  /** Those of the rows that are in a cluster here. */
  private async membersAmong(rows: Int32Array): Promise<Int32Array> {
    const members = new Int32Array(rows.length);
    let end = 0;
    await inSlices(rows.length, (start, stop) => {
      for (let i = start; i < stop; i++) {
        const row = rows[i]!;
        if (this.clusterOf[row]! >= 0 && ((this.set >> this.kinds[row]!) & 1) === 1) members[end++] = row;
      }
    });
    return members.subarray(0, end);
  }
}

function startsOf(sizes: Int32Array): Int32Array {
  const starts = new Int32Array(sizes.length + 1);
  for (let cluster = 0; cluster < sizes.length; cluster++) starts[cluster + 1] = starts[cluster]! + sizes[cluster]!;
  return starts;
}
