const FIRST_LENGTH = 1024;

/** A growing list of row numbers. */
export class OrdinalList {
  private ordinals = new Int32Array(FIRST_LENGTH);
  private length = 0;

  add(ordinal: number): void {
    if (this.length === this.ordinals.length) {
      const longer = new Int32Array(this.length * 2);
      longer.set(this.ordinals);
      this.ordinals = longer;
    }
    this.ordinals[this.length++] = ordinal;
  }

  toArray(): Int32Array {
    return this.ordinals.subarray(0, this.length);
  }
}
