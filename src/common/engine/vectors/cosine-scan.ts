import { inSlices } from '../../platform/concurrency/in-slices';
import { OrdinalSet } from '../media-table/ordinal-set';
import { exactDistances } from './exact-distances';
import { FEW, RUN_ROWS, rowsOfRuns, type FoundDistances, type ScoresAtOnce } from './found-distances';
import type { VectorSource } from './vector-source';

const FIRST_LENGTH = 1024;

/** A growing list of row numbers. */
class OrdinalList {
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

const BINS = 2 ** 16;
const FARTHEST = 2;
const BINS_PER_UNIT = (BINS - 1) / FARTHEST;

/** A histogram of distances, to find the distance below which there is a given number of rows. */
class DistanceRanks {
  private readonly counts = new Uint32Array(BINS);

  /** Infinity is not a distance and is not counted. */
  add(distance: number): void {
    if (distance === Infinity) return;
    const bin = Math.trunc(distance * BINS_PER_UNIT);
    this.counts[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]! += 1;
  }

  /** A distance that at least `rank` of the values, or all of them, do not exceed; close to the smallest such distance. */
  atMost(rank: number): number {
    let seen = 0;
    for (let bin = 0; bin < BINS - 1; bin++) {
      seen += this.counts[bin]!;
      if (seen >= rank) return (bin + 1) / BINS_PER_UNIT;
    }
    return Infinity;
  }
}

export interface Cut {
  readonly distance: number;
  readonly inclusive: boolean;
}

export const isWithin = ({ distance: most, inclusive }: Cut, distance: number): boolean =>
  inclusive ? distance <= most : distance < most;

export interface NearRow {
  readonly ordinal: number;
  readonly distance: number;
}

/** A bound of the 32-bit rounding errors in a score: fewer than ten roundings of numbers up to 2. */
const ARITHMETIC = 1e-6;

export interface ScanParts {
  readonly source: VectorSource;
  readonly query: Float32Array;
  /** The correction of the distances of these rows by the lower plane. */
  readonly lower: (ordinals: Int32Array) => Promise<Float32Array>;
  /** The length of the query's quantisation error. */
  readonly queryError: number;
  /** The length of the quantisation error of the upper plane for a row, its maximum, and the maximum for both planes. */
  readonly errorOf: (ordinal: number) => number;
  readonly coarseError: number;
  readonly fineError: number;
}

/**
 * The approximate distances of all rows from one query. For unit vectors a, q and their quantised a', q', |a.q - a'.q'| is at most |a - a'|
 * + |a'| |q - q'|, and a' is at most 1 + |a - a'| long; the lengths of the errors are known for each row.
 */
export class CosineScan {
  /** A proven error bound of `distances`. */
  readonly tolerance: number;
  /** A proven error bound of the result of `refine`. */
  readonly refinedTolerance: number;

  /** The approximate cosine distance of each row; Infinity if it has no vector. */
  readonly distances: Float32Array;
  readonly atOnce: ScoresAtOnce | undefined;
  private few: Int32Array | undefined;
  private isReleased = false;

  constructor(
    private readonly parts: ScanParts,
    private readonly found: FoundDistances,
  ) {
    ({ distances: this.distances, atOnce: this.atOnce, rows: this.few } = found);
    this.tolerance = this.bound(parts.coarseError);
    this.refinedTolerance = this.bound(parts.fineError);
  }

  /** The only rows with a distance, ascending, if they are few; undefined if any row may have one. */
  get rows(): Int32Array | undefined {
    return this.few;
  }

  /** Sets the distance of a row. */
  place(row: number, distance: number): void {
    if (this.isReleased) throw new Error('The scan was released');
    this.distances[row] = distance;
    const least = this.atOnce?.leastOfRuns;
    const run = Math.floor(row / RUN_ROWS);
    if (least !== undefined && distance < least[run]!) least[run] = distance;
    if (this.few === undefined || this.few.includes(row)) return;
    this.few = Int32Array.from([...this.few, row]).sort();
  }

  /** Returns distances in the order requested, within `refinedTolerance`. */
  async refine(ordinals: Int32Array): Promise<Float32Array> {
    if (ordinals.length === 0) return new Float32Array(0);
    const refined = await this.parts.lower(ordinals);
    for (let at = 0; at < refined.length; at++) refined[at]! += this.distances[ordinals[at]!]!;
    return refined;
  }

  /** The rows whose exact distance is within the cut. */
  async within(cut: Cut, candidates?: OrdinalSet): Promise<OrdinalSet> {
    const passed = OrdinalSet.none(this.distances.length);
    const near = await this.settleByDistances(cut, candidates, passed);
    const refined = await this.refine(near);
    const open = new OrdinalList();
    await inSlices(near.length, (first, end) => {
      for (let at = first; at < end; at++) {
        const off = refined[at]! - cut.distance;
        if (off < -this.refinedTolerance) passed.add(near[at]!);
        else if (off <= this.refinedTolerance) open.add(near[at]!);
      }
    });
    await this.eachExact(open.toArray(), (ordinal, distance) => {
      if (isWithin(cut, distance)) passed.add(ordinal);
    });
    return passed;
  }

  /** By exact distance, nearest first; ties by ordinal. */
  async nearest(limit: number, candidates?: OrdinalSet): Promise<NearRow[]> {
    if (limit < 1) return [];
    const near = await this.contenders(limit, candidates);
    const refined = await this.refine(near);
    const ranks = new DistanceRanks();
    const open = new OrdinalList();
    await inSlices(near.length, (first, end) => {
      for (let at = first; at < end; at++) ranks.add(refined[at]!);
    });
    const farthest = ranks.atMost(limit) + 2 * this.refinedTolerance;
    await inSlices(near.length, (first, end) => {
      for (let at = first; at < end; at++) if (refined[at]! <= farthest) open.add(near[at]!);
    });
    const rows: NearRow[] = [];
    await this.eachExact(open.toArray(), (ordinal, distance) => rows.push({ ordinal, distance }));
    return rows.sort((a, b) => a.distance - b.distance || a.ordinal - b.ordinal).slice(0, limit);
  }

  /** Returns the memory of the distances for other queries. The scan must not be used afterwards. */
  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.found.release(this.few);
  }

  /** Returns the rows that the error bound leaves undecided. */
  private async settleByDistances(
    cut: Cut,
    candidates: OrdinalSet | undefined,
    passed: OrdinalSet,
  ): Promise<Int32Array> {
    const near = new OrdinalList();
    const { distances, tolerance } = this;
    const rows = this.rowsAmong(candidates) ?? this.rowsUpTo(cut.distance + tolerance);
    const { errorOf } = this.parts;
    await inSlices(rows?.length ?? distances.length, (first, end) => {
      for (let at = first; at < end; at++) {
        const row = rows === undefined ? at : rows[at]!;
        const off = distances[row]! - cut.distance;
        if (off > tolerance || (candidates !== undefined && !candidates.has(row))) continue;
        const bound = off < -tolerance ? 0 : this.bound(errorOf(row));
        if (off < -bound) passed.add(row);
        else if (off <= bound) near.add(row);
      }
    });
    return near.toArray();
  }

  /** All rows that may be among the nearest. */
  private async contenders(limit: number, candidates: OrdinalSet | undefined): Promise<Int32Array> {
    const { distances } = this;
    const rows = this.rowsAmong(candidates);
    const ranks = new DistanceRanks();
    await inSlices(rows?.length ?? distances.length, (first, end) => {
      for (let at = first; at < end; at++) {
        const row = rows === undefined ? at : rows[at]!;
        if (candidates === undefined || candidates.has(row)) ranks.add(distances[row]!);
      }
    });
    const farthest = ranks.atMost(limit) + 2 * this.tolerance;
    const near = new OrdinalList();
    const those = rows ?? this.rowsUpTo(farthest);
    await inSlices(those?.length ?? distances.length, (first, end) => {
      for (let at = first; at < end; at++) {
        const row = those === undefined ? at : those[at]!;
        const distance = distances[row]!;
        if (distance > farthest || distance === Infinity) continue;
        if (candidates === undefined || candidates.has(row)) near.add(row);
      }
    });
    return near.toArray();
  }

  /** The rows to check; undefined if all rows must be checked. */
  private rowsAmong(candidates: OrdinalSet | undefined): Int32Array | undefined {
    if (this.rows !== undefined || candidates === undefined) return this.rows;
    return candidates.size <= FEW * candidates.rows ? candidates.toArray() : undefined;
  }

  /** The rows to check for distances up to the bound; undefined if they are not few. */
  private rowsUpTo(bound: number): Int32Array | undefined {
    const { atOnce, distances } = this;
    return atOnce && rowsOfRuns(atOnce, distances.length, bound);
  }

  private async eachExact(ordinals: Int32Array, visit: (ordinal: number, distance: number) => unknown): Promise<void> {
    const { source, query } = this.parts;
    const exact = await exactDistances(source, query, ordinals);
    ordinals.forEach((ordinal, at) => visit(ordinal, exact[at]!));
  }

  private bound(rowError: number): number {
    return rowError + (1 + rowError) * this.parts.queryError + ARITHMETIC;
  }
}
