import type { VectorTable } from './vector-table';

/** Clusters as sums of their vectors: the dot product of two means is their average pairwise cosine. */
export class ClusterSums {
  readonly parent: Int32Array;
  readonly size: Int32Array;

  /** `sums` initially contains the vectors, and is overwritten. */
  constructor(
    private readonly sums: VectorTable,
    count: number,
  ) {
    this.parent = new Int32Array(count);
    for (let at = 0; at < count; at++) this.parent[at] = at;
    this.size = new Int32Array(count).fill(1);
  }

  rootOf(member: number): number {
    const { parent } = this;
    let root = member;
    while (parent[root] !== root) root = parent[root]!;
    for (let at = member; parent[at] !== root;) {
      const next = parent[at]!;
      parent[at] = root;
      at = next;
    }
    return root;
  }

  /** The average cosine between the members of two roots. */
  similarity(one: number, other: number): number {
    return this.sums.dot(one, other) / (this.size[one]! * this.size[other]!);
  }

  /** Merges `from` into `into`; both are roots. */
  merge(into: number, from: number): void {
    this.sums.add(into, from);
    this.size[into]! += this.size[from]!;
    this.parent[from] = into;
  }
}
