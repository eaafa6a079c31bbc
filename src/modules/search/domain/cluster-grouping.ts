import type { KindSet } from './entity-type';
import { inSlices } from './in-slices';
import { orderBySize } from './order-by-size';

export interface ClusterHits {
  readonly cluster: number;
  /** Ordinals of the members that count, ascending; never empty. */
  readonly hits: Int32Array;
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
    private readonly clusterOf: Int32Array,
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
    const sizes = new Int32Array(this.starts.length - 1);
    await this.eachMatch(matches, (_, cluster) => sizes[cluster]!++);
    const bySize = await orderBySize(sizes);
    const shown = bySize.subarray(first, first + count);
    const clusters = Array.from(shown, (cluster) => ({ cluster, hits: new Int32Array(sizes[cluster]!) }));
    const slotOf = new Int32Array(sizes.length).fill(-1);
    shown.forEach((cluster, slot) => (slotOf[cluster] = slot));
    const ends = new Int32Array(shown.length);
    await this.eachMatch(matches, (row, cluster) => {
      const slot = slotOf[cluster]!;
      if (slot >= 0) clusters[slot]!.hits[ends[slot]!++] = row;
    });
    return { total: bySize.length, clusters };
  }

  private eachMatch(matches: Int32Array, visit: (row: number, cluster: number) => void): Promise<void> {
    return inSlices(matches.length, (start, end) => {
      for (let i = start; i < end; i++) {
        const row = matches[i]!;
        const cluster = this.clusterOf[row]!;
        if (cluster >= 0 && ((this.set >> this.kinds[row]!) & 1) === 1) visit(row, cluster);
      }
    });
  }
}

function startsOf(sizes: Int32Array): Int32Array {
  const starts = new Int32Array(sizes.length + 1);
  for (let cluster = 0; cluster < sizes.length; cluster++) starts[cluster + 1] = starts[cluster]! + sizes[cluster]!;
  return starts;
}
