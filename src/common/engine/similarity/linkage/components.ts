/** Connected components of rows, each named by its lowest row. */
export class Components {
  private readonly parent: Int32Array;
  private readonly sizes: Int32Array;
  largest = 1;

  constructor(count: number) {
    this.parent = new Int32Array(count);
    for (let row = 0; row < count; row++) this.parent[row] = row;
    this.sizes = new Int32Array(count).fill(1);
  }

  join(one: number, other: number): void {
    const [a, b] = [this.rootOf(one), this.rootOf(other)];
    if (a === b) return;
    const [into, from] = a < b ? [a, b] : [b, a];
    this.parent[from] = into;
    this.sizes[into]! += this.sizes[from]!;
    if (this.sizes[into]! > this.largest) this.largest = this.sizes[into]!;
  }

  rootOf(row: number): number {
    const { parent } = this;
    let root = row;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]!]!;
      root = parent[root]!;
    }
    return root;
  }

  sizeOf(root: number): number {
    return this.sizes[root]!;
  }
}
