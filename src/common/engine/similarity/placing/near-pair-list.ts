const FIRST_LENGTH = 1024;

/** Pairs of a new row and a known one, grouped by known row. Of equal known rows, only the pairs of the first are kept. */
export class NearPairList {
  added = new Int32Array(FIRST_LENGTH);
  ordinal = new Int32Array(FIRST_LENGTH);
  cosine = new Float32Array(FIRST_LENGTH);
  length = 0;
  private readonly firstPair = new Map<number, number>();

  /** Adds a pair of the current known row; `hash` is the hash of its vector. */
  add(ordinal: number, hash: number, added: Int32Array, cosine: Float32Array): void {
    const before = this.firstPair.get(hash);
    if (before !== undefined && this.isSame(before, added, cosine)) return;
    if (before === undefined) this.firstPair.set(hash, this.length);
    while (this.length + added.length > this.added.length) this.grow();
    this.added.set(added, this.length);
    this.cosine.set(cosine, this.length);
    this.ordinal.fill(ordinal, this.length, this.length + added.length);
    this.length += added.length;
  }

  private isSame(first: number, added: Int32Array, cosine: Float32Array): boolean {
    const end = first + added.length;
    if (end < this.length && this.ordinal[end] === this.ordinal[first]) return false;
    return added.every((row, at) => this.added[first + at] === row && this.cosine[first + at] === cosine[at]);
  }

  private grow(): void {
    const { added, ordinal, cosine } = this;
    this.added = new Int32Array(added.length * 2);
    this.ordinal = new Int32Array(added.length * 2);
    this.cosine = new Float32Array(added.length * 2);
    this.added.set(added);
    this.ordinal.set(ordinal);
    this.cosine.set(cosine);
  }
}
