const BINS = 2 ** 16;
const FARTHEST = 2;
const BINS_PER_UNIT = (BINS - 1) / FARTHEST;

/** A histogram of distances, for finding the distance below which a number of rows lie. */
export class DistanceRanks {
  private readonly counts = new Uint32Array(BINS);

  /** Infinity is not a distance and is not counted. */
  add(distance: number): void {
    if (distance === Infinity) return;
    const bin = Math.trunc(distance * BINS_PER_UNIT);
    this.counts[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]! += 1;
  }

  /** A distance that at least `rank` of the values do not exceed, or all; close to the smallest such distance. */
  atMost(rank: number): number {
    let seen = 0;
    for (let bin = 0; bin < BINS - 1; bin++) {
      seen += this.counts[bin]!;
      if (seen >= rank) return (bin + 1) / BINS_PER_UNIT;
    }
    return Infinity;
  }
}
