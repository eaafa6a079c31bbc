import type { ClusterSums } from './cluster-sums';

/** Edges between clusters, each given by its representative row. */
export interface ClusterEdges {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly similarity: Float32Array;
}

/** Clusters, each given by its representative row. */
export interface Clusters {
  /** For each former representative row, the representative of the cluster that now contains it. */
  readonly root: Int32Array;
  readonly size: Int32Array;
  /** 1 for clusters whose edges must be measured again. */
  readonly changed: Uint8Array;
}

/** The edges between clusters. Contraction removes edges inside a cluster and duplicates, and recomputes those changed by a merge. */
export class EdgeList {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly similarity: Float32Array;
  /** The round in which an edge's similarity was computed. */
  private readonly measured: Int32Array;
  private readonly slots: Int32Array;

  constructor(
    edges: ClusterEdges,
    private readonly clusters: ClusterSums,
    /** The round in which each cluster last grew. */
    private readonly grown: Int32Array,
  ) {
    this.first = edges.first;
    this.second = edges.second;
    this.similarity = edges.similarity;
    this.measured = new Int32Array(edges.first.length);
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(edges.first.length * 2 + 2)));
  }

  get length(): number {
    return this.first.length;
  }

  /** Keeps the first `count` edges of `list` that still join two clusters, in order; returns their number. */
  contract(list: Int32Array, count: number, since: number, round: number): number {
    const { first, second, clusters, grown, measured } = this;
    const slots = this.clearedSlots(count);
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const edge = list[at]!;
      const a = clusters.rootOf(first[edge]!);
      const b = clusters.rootOf(second[edge]!);
      if (a === b) continue;
      first[edge] = Math.min(a, b);
      second[edge] = Math.max(a, b);
      const latest = Math.max(grown[a]!, grown[b]!);
      if (latest > since && !this.enter(slots, edge)) continue;
      if (latest > measured[edge]!) {
        this.similarity[edge] = clusters.similarity(a, b);
        measured[edge] = round;
      }
      list[kept++] = edge;
    }
    return kept;
  }

  private clearedSlots(count: number): Int32Array {
    const slots = this.slots.subarray(0, Math.min(this.slots.length, 2 ** Math.ceil(Math.log2(count * 2 + 2))));
    return slots.fill(-1);
  }

  /** Returns false if there already is an edge between these clusters. */
  private enter(slots: Int32Array, edge: number): boolean {
    const { first, second } = this;
    const mask = slots.length - 1;
    const a = first[edge]!;
    const b = second[edge]!;
    const mixed = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    for (; slots[slot] !== -1; slot = (slot + 1) & mask) {
      if (first[slots[slot]!] === a && second[slots[slot]!] === b) return false;
    }
    slots[slot] = edge;
    return true;
  }
}
