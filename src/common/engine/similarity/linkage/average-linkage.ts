import { ClusterSums, type Sums } from './cluster-sums';
import { type ClusterEdges, EdgeList } from './edge-list';

const FIRST_CUT = 0.98;
const CUTS = 24;

/** The cuts of the ladder and evenly spaced cuts between them, in descending order. */
export function fallingCuts(ladder: readonly number[]): number[] {
  const lowest = Math.min(...ladder);
  const steps = Array.from({ length: CUTS }, (_, at) => FIRST_CUT - ((FIRST_CUT - lowest) * at) / CUTS);
  return [...new Set([...steps.filter((cut) => cut > lowest), ...ladder])].sort((a, b) => b - a);
}

/**
 * Average-linkage clustering on the neighbour graph: at each cut, merges mutual nearest neighbours. Clusters merge only while their average pairwise
 * cosine reaches the cut, so a chain of similar items does not join two groups. Overwrites the edges, the sums and the sizes.
 */
export class Linkage {
  private readonly clusters: ClusterSums;
  private readonly edges: EdgeList;
  private readonly grown: Int32Array;
  /** Edges below the cut; `active` has those that reach it. */
  private readonly waiting: Int32Array;
  private waitingCount: number;
  private readonly active: Int32Array;
  private activeCount = 0;
  private round = 0;
  private refreshed = 0;
  /** The best neighbour of each cluster in the current round. */
  private readonly best: Int32Array;
  private readonly bestSimilarity: Float32Array;
  private readonly bestRound: Int32Array;
  private readonly pairedRound: Int32Array;
  private readonly satelliteRound: Int32Array;

  constructor(edges: ClusterEdges, sums: Sums, size: Int32Array) {
    const count = size.length;
    this.clusters = new ClusterSums(sums, size);
    this.grown = new Int32Array(count);
    this.edges = new EdgeList(edges, this.clusters, this.grown);
    this.waiting = Int32Array.from(edges.first.keys());
    this.waitingCount = this.edges.length;
    this.active = new Int32Array(this.edges.length);
    this.best = new Int32Array(count);
    this.bestSimilarity = new Float32Array(count);
    this.bestRound = new Int32Array(count);
    this.pairedRound = new Int32Array(count);
    this.satelliteRound = new Int32Array(count);
  }

  /** The member that represents the cluster of `member`. */
  rootOf(member: number): number {
    return this.clusters.rootOf(member);
  }

  hasGrown(root: number): boolean {
    return this.grown[root]! > 0;
  }

  /** Merges until no edge reaches the cut. */
  descend(cut: number): void {
    while (this.activate(cut)) {
      while (this.activeCount > 0) {
        this.round += 1;
        this.findBest();
        this.mergePairs();
        this.mergeSatellites(cut);
        this.settleActive(cut);
      }
    }
  }

  /** Updates the waiting edges and activates those that reach the cut; false if there is none. */
  private activate(cut: number): boolean {
    if (this.round > this.refreshed) {
      this.waitingCount = this.edges.contract(this.waiting, this.waitingCount, this.refreshed, this.round);
      this.refreshed = this.round;
    }
    let kept = 0;
    for (let at = 0; at < this.waitingCount; at++) {
      const edge = this.waiting[at]!;
      if (this.edges.similarity[edge]! >= cut) this.active[this.activeCount++] = edge;
      else this.waiting[kept++] = edge;
    }
    this.waitingCount = kept;
    return this.activeCount > 0;
  }

  private findBest(): void {
    const { first, second, similarity } = this.edges;
    for (let at = 0; at < this.activeCount; at++) {
      const edge = this.active[at]!;
      this.propose(first[edge]!, second[edge]!, similarity[edge]!);
      this.propose(second[edge]!, first[edge]!, similarity[edge]!);
    }
  }

  private propose(cluster: number, other: number, similarity: number): void {
    if (this.bestRound[cluster] === this.round) {
      const known = this.bestSimilarity[cluster]!;
      if (similarity < known || (similarity === known && other > this.best[cluster]!)) return;
    }
    this.bestRound[cluster] = this.round;
    this.best[cluster] = other;
    this.bestSimilarity[cluster] = similarity;
  }

  private mergePairs(): void {
    for (let at = 0; at < this.activeCount; at++) {
      const edge = this.active[at]!;
      const a = this.edges.first[edge]!;
      const b = this.edges.second[edge]!;
      if (this.best[a] !== b || this.best[b] !== a || this.pairedRound[a] === this.round) continue;
      this.pairedRound[a] = this.round;
      this.pairedRound[b] = this.round;
      this.join(a, b);
    }
  }

  /** Clusters whose best neighbour was just merged join it too, if the average still reaches the cut. */
  private mergeSatellites(cut: number): void {
    const satellites: number[] = [];
    for (let at = 0; at < this.activeCount; at++) {
      const edge = this.active[at]!;
      for (const cluster of [this.edges.first[edge]!, this.edges.second[edge]!]) {
        if (this.pairedRound[cluster] === this.round || this.satelliteRound[cluster] === this.round) continue;
        if (this.pairedRound[this.best[cluster]!] !== this.round) continue;
        this.satelliteRound[cluster] = this.round;
        satellites.push(cluster);
      }
    }
    const nearness = this.bestSimilarity;
    satellites.sort((a, b) => nearness[b]! - nearness[a]! || a - b);
    for (const cluster of satellites) {
      const into = this.clusters.rootOf(this.best[cluster]!);
      if (this.clusters.similarity(into, cluster) >= cut) this.join(into, cluster);
    }
  }

  private join(first: number, second: number): void {
    const { size } = this.clusters;
    const [into, from] = size[second]! > size[first]! ? [second, first] : [first, second];
    this.clusters.merge(into, from);
    this.grown[into] = this.round;
  }

  private settleActive(cut: number): void {
    const count = this.edges.contract(this.active, this.activeCount, this.round - 1, this.round);
    this.activeCount = 0;
    for (let at = 0; at < count; at++) {
      const edge = this.active[at]!;
      if (this.edges.similarity[edge]! >= cut) this.active[this.activeCount++] = edge;
      else this.waiting[this.waitingCount++] = edge;
    }
  }
}
