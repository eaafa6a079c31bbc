import { setImmediate } from 'node:timers/promises';
import { OrdinalSet } from '../media-table/ordinal-set';
import { cosineDistance } from './cosine-distance';
import { DistanceRanks } from './distance-ranks';
import { OrdinalList } from './ordinal-list';
import type { LowerPlane } from './lower-plane';
import { BLOCK_ROWS, type QuantisedRows } from './quantised-rows';
import type { VectorSource } from './vector-source';

export interface Cut {
  readonly distance: number;
  readonly inclusive: boolean;
}

export interface NearRow {
  readonly ordinal: number;
  readonly distance: number;
}

/** So many exact vectors are in memory at a time. */
const EXACT_ROWS = 2048;

/** All that 32-bit arithmetic adds to a plane's score: fewer than ten roundings of numbers up to 2. */
const ARITHMETIC = 1e-6;

export interface ScanParts {
  readonly source: VectorSource;
  readonly blocks: readonly QuantisedRows[];
  readonly query: Float32Array;
  readonly lower: LowerPlane;
  /** Length of what the query's digits leave out. */
  readonly queryError: number;
  /** Largest of the blocks' errors. */
  readonly coarseError: number;
  readonly fineError: number;
}

/**
 * The distances of all rows from one query. Of unit vectors a, q and what is kept of them, |a.q - a'.q'| is at most
 * |a - a'| + |a'| |q - q'|, and a' is at most 1 + |a - a'| long; the lengths of what was left out are known for each row.
 */
export class CosineScan {
  /** Proven bound of what `distances` are off by. */
  readonly tolerance: number;
  /** The same for what `refine` answers. */
  readonly refinedTolerance: number;

  constructor(
    private readonly parts: ScanParts,
    /** Approximate cosine distance of each row; Infinity where there is no vector. */
    readonly distances: Float32Array,
  ) {
    this.tolerance = this.bound(parts.coarseError);
    this.refinedTolerance = this.bound(parts.fineError);
  }

  refine(ordinals: Int32Array): Promise<Float32Array> {
    return this.parts.lower.refine(this.distances, ordinals);
  }

  /** The rows whose true distance passes. */
  async within(cut: Cut, candidates?: OrdinalSet): Promise<OrdinalSet> {
    const passed = OrdinalSet.none(this.parts.source.rows);
    const near = await this.settleByDistances(cut, candidates, passed);
    const refined = await this.refine(near);
    const open = new OrdinalList();
    near.forEach((ordinal, i) => {
      if (refined[i]! > cut.distance + this.refinedTolerance) return;
      if (refined[i]! < cut.distance - this.refinedTolerance) passed.add(ordinal);
      else open.add(ordinal);
    });
    await this.eachExact(open.toArray(), (ordinal, distance) => {
      if (cut.inclusive ? distance <= cut.distance : distance < cut.distance) passed.add(ordinal);
    });
    return passed;
  }

  /** By true distance, the nearest first, ties by ordinal. */
  async nearest(limit: number, candidates?: OrdinalSet): Promise<NearRow[]> {
    if (limit < 1) return [];
    const near = await this.contenders(limit, candidates);
    const refined = await this.refine(near);
    const ranks = new DistanceRanks();
    for (const distance of refined) ranks.add(distance);
    const farthest = ranks.atMost(limit) + 2 * this.refinedTolerance;
    const rows: NearRow[] = [];
    await this.eachExact(
      near.filter((_, i) => refined[i]! <= farthest),
      (ordinal, distance) => rows.push({ ordinal, distance }),
    );
    return rows.sort((a, b) => a.distance - b.distance || a.ordinal - b.ordinal).slice(0, limit);
  }

  /** Answers the rows too near to the cut to tell. */
  private async settleByDistances(
    cut: Cut,
    candidates: OrdinalSet | undefined,
    passed: OrdinalSet,
  ): Promise<Int32Array> {
    const near = new OrdinalList();
    const { distances, tolerance } = this;
    await this.eachBlock(({ coarseError }, first, end) => {
      for (let row = first; row < end; row++) {
        const off = distances[row]! - cut.distance;
        if (off > tolerance || (candidates !== undefined && !candidates.has(row))) continue;
        const bound = off < -tolerance ? 0 : this.bound(coarseError[row - first]!);
        if (off < -bound) passed.add(row);
        else if (off <= bound) near.add(row);
      }
    });
    return near.toArray();
  }

  /** Whatever may be among the nearest: nothing else can be. */
  private async contenders(limit: number, candidates: OrdinalSet | undefined): Promise<Int32Array> {
    const { distances } = this;
    const ranks = new DistanceRanks();
    await this.eachBlock((_, first, end) => {
      for (let row = first; row < end; row++) {
        if (candidates === undefined || candidates.has(row)) ranks.add(distances[row]!);
      }
    });
    const farthest = ranks.atMost(limit) + 2 * this.tolerance;
    const near = new OrdinalList();
    await this.eachBlock((_, first, end) => {
      for (let row = first; row < end; row++) {
        const distance = distances[row]!;
        if (distance > farthest || distance === Infinity) continue;
        if (candidates === undefined || candidates.has(row)) near.add(row);
      }
    });
    return near.toArray();
  }

  /** Block by block, and others run in between. */
  private async eachBlock(visit: (rows: QuantisedRows, first: number, end: number) => void): Promise<void> {
    for (const [index, rows] of this.parts.blocks.entries()) {
      const first = index * BLOCK_ROWS;
      visit(rows, first, first + rows.count);
      await setImmediate();
    }
  }

  private async eachExact(ordinals: Int32Array, visit: (ordinal: number, distance: number) => unknown): Promise<void> {
    const { source, query } = this.parts;
    for (let first = 0; first < ordinals.length; first += EXACT_ROWS) {
      const some = ordinals.slice(first, first + EXACT_ROWS);
      const vectors = await source.take(some);
      some.forEach((ordinal, i) => visit(ordinal, cosineDistance(query, vectors, i * source.dimension)));
    }
  }

  private bound(rowError: number): number {
    return rowError + (1 + rowError) * this.parts.queryError + ARITHMETIC;
  }
}
