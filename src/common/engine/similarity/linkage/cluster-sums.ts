/** The vectors of a group, addressed by their index in it. */
export interface Sums {
  dot(first: number, second: number): number;
  /** Adds vector `from` to vector `into`. */
  add(into: number, from: number): void;
}

/** Clusters as sums of their vectors: the dot product of two means is their average pairwise cosine. */
export class ClusterSums {
  readonly parent: Int32Array;

  /** `sums` contains the sums of the initial clusters. Both arguments are overwritten. */
  constructor(
    private readonly sums: Sums,
    readonly size: Int32Array,
  ) {
    this.parent = Int32Array.from(size.keys());
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
