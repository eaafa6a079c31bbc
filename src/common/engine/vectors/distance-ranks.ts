const BINS = 2 ** 16;
const FARTHEST = 2;
const BINS_PER_UNIT = (BINS - 1) / FARTHEST;

/** Counts distances by size, and tells below which of them a number of rows lie. */
export class DistanceRanks {
  private readonly counts = new Uint32Array(BINS);

  /** Infinity is no distance and isn't counted. */
  add(distance: number): void {
    if (distance === Infinity) return;
    const bin = Math.trunc(distance * BINS_PER_UNIT);
    this.counts[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]! += 1;
  }

  /** At least `rank` of those added are no farther, or all are. Hardly larger than it needs to be. */
  atMost(rank: number): number {
    let seen = 0;
    for (let bin = 0; bin < BINS - 1; bin++) {
      seen += this.counts[bin]!;
      if (seen >= rank) return (bin + 1) / BINS_PER_UNIT;
    }
    return Infinity;
  }
}
