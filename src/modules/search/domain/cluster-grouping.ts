import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { KindSet } from './entity-type';
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

/** The members of each cluster at one level, largest cluster first. */
export class ClusterGrouping {
  private constructor(
    /** Rows that are members of a cluster. */
    private readonly grouped: OrdinalSet,
    readonly clusterOf: Int32Array,
    /** Members of cluster c are at starts[c] to starts[c + 1]. */
    private readonly starts: Int32Array,
    private readonly members: Int32Array,
    private readonly bySize: Int32Array,
  ) {}

  /** `clusterOf` has the cluster of each row; negative for none. */
  static async build(kinds: Int8Array, set: KindSet, clusterOf: Int32Array): Promise<ClusterGrouping> {
    const isMember = (row: number): boolean => ((set >> kinds[row]!) & 1) === 1 && clusterOf[row]! >= 0;
    let clusters = 0;
    await inSlices(kinds.length, (start, end) => {
      for (let row = start; row < end; row++)
        if (isMember(row) && clusterOf[row]! >= clusters) clusters = clusterOf[row]! + 1;
    });
    const sizes = new Int32Array(clusters);
    const grouped = OrdinalSet.none(kinds.length);
    await inSlices(kinds.length, (start, end) => {
      for (let row = start; row < end; row++) {
        if (!isMember(row)) continue;
        sizes[clusterOf[row]!]!++;
        grouped.add(row);
      }
    });
    const starts = startsOf(sizes);
    const members = new Int32Array(starts[clusters]!);
    const next = starts.slice(0, clusters);
    await inSlices(kinds.length, (start, end) => {
      for (let row = start; row < end; row++) if (isMember(row)) members[next[clusterOf[row]!]!++] = row;
    });
    return new ClusterGrouping(grouped, clusterOf, starts, members, await orderBySize(sizes));
  }

  /** Excludes the arrays passed to it. */
  get bytes(): number {
    return this.starts.byteLength + this.members.byteLength + this.bySize.byteLength + this.grouped.bytes;
  }

  membersOf(cluster: number): Int32Array {
    return this.members.subarray(this.starts[cluster] ?? 0, this.starts[cluster + 1] ?? 0);
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
    const sizes = new Int32Array(this.starts.length - 1);
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
    const members = matches === undefined ? this.members : matches.and(this.grouped).toArray();
    const best = await this.bestOf(members, approximate);
    const { places, finite } = await atMostTheLowest(best, first + count, 2 * tolerance, MOST_UNSURE);
    if (first >= finite) return { total: finite, clusters: [] };
    const isResult = (row: number): boolean => approximate[row]! < Infinity && (matches?.has(row) ?? true);
    const contenders = Array.from(places, (cluster) => {
      const farthest = best[cluster]! + 2 * tolerance;
      return this.membersThat(cluster, (row) => approximate[row]! <= farthest && isResult(row));
    });
    const bests = await bestRows(contenders, ranking, 1);
    const scores = new Map(Array.from(places, (cluster, i) => [cluster, bests[i]![0]!.score]));
    const shown = places.sort((a, b) => scores.get(a)! - scores.get(b)! || a - b).subarray(first, first + count);
    const clusters = this.hitsOf(shown, isResult).map((hits) => ({ ...hits, score: scores.get(hits.cluster)! }));
    return { total: finite, clusters };
  }

  /** The lowest score in each cluster, over some of its members. */
  private async bestOf(members: Int32Array, approximate: Float32Array): Promise<Float32Array> {
    const { clusterOf } = this;
    const best = new Float32Array(this.starts.length - 1).fill(Infinity);
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

function startsOf(sizes: Int32Array): Int32Array {
  const starts = new Int32Array(sizes.length + 1);
  for (let cluster = 0; cluster < sizes.length; cluster++) starts[cluster + 1] = starts[cluster]! + sizes[cluster]!;
  return starts;
}
