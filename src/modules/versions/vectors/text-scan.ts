import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { free } from '../../../common/engine/vectors/free';
import type { CosineScan, Cut, NearRow } from '../../../common/engine/vectors/vector-matrix';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import type { RowRanking } from '../clusters/domain/row-ranking';
import type { SimilarityScale } from './domain/similarity-scale';

/** A bound of the 32-bit rounding of distances, in cosine distances. */
const ROUNDING = 1e-6;

/** How distances of one kind of vectors from a text are compared with others. */
export interface ComparedVectors {
  readonly scale: SimilarityScale;
  /** Rows at this distance or further are not found, whatever is asked for. */
  readonly unrelated?: number;
}

/** The distances of one kind of vectors from a text. */
export interface ScannedVectors extends ComparedVectors {
  readonly scan: CosineScan;
}

/** In cosine distances of the vectors. */
export function cutOf({ scale, unrelated = Infinity }: ComparedVectors, cut: Cut): Cut {
  const { distance, inclusive } = cut.distance < unrelated ? cut : { distance: unrelated, inclusive: false };
  return { distance: scale.cosineDistanceOf(distance), inclusive };
}

/** The distances of rows from a text: that of the caption or that of the picture, whichever is smaller. */
export class TextScan {
  private combined: Promise<RowRanking> | undefined;

  constructor(private readonly parts: readonly [ScannedVectors, ...ScannedVectors[]]) {}

  /** The rows whose exact distance is within the cut. */
  async within(cut: Cut, candidates?: OrdinalSet): Promise<OrdinalSet> {
    let found: OrdinalSet | undefined;
    for (const part of this.parts) {
      const open = found === undefined ? candidates : (candidates?.without(found) ?? found.complement());
      const more = await part.scan.within(cutOf(part, cut), open);
      found = found?.or(more) ?? more;
    }
    return found!;
  }

  /** By exact distance, nearest first, ties by ordinal. */
  async nearest(limit: number, candidates?: OrdinalSet): Promise<NearRow[]> {
    const least = new Map<number, number>();
    for (const { scan, scale, unrelated = Infinity } of this.parts) {
      // A row that is not among the nearest of a part has as many rows before it as are asked for.
      for (const { ordinal, distance } of await scan.nearest(limit, candidates)) {
        const shared = scale.distanceOf(distance);
        if (shared < unrelated) least.set(ordinal, Math.min(least.get(ordinal) ?? Infinity, shared));
      }
    }
    return Array.from(least, ([ordinal, distance]) => ({ ordinal, distance }))
      .sort((a, b) => a.distance - b.distance || a.ordinal - b.ordinal)
      .slice(0, limit);
  }

  ranking(): Promise<RowRanking> {
    this.combined ??= this.combine();
    return this.combined;
  }

  /** Frees the distances that it has made of those of its scans. */
  release(): void {
    if (this.plain !== undefined) return;
    this.combined?.then(
      ({ approximate }) => free([approximate.buffer]),
      () => undefined,
    );
  }

  /** The only scan, if its distances are those of the rows. */
  private get plain(): CosineScan | undefined {
    const [{ scan, scale }, ...others] = this.parts;
    return others.length === 0 && scale.isPlain ? scan : undefined;
  }

  private async combine(): Promise<RowRanking> {
    const { plain } = this;
    return {
      approximate: plain === undefined ? await this.leastDistances() : plain.distances,
      atOnce: plain?.atOnce,
      rows: plain?.rows,
      tolerance:
        plain?.tolerance ?? Math.max(...this.parts.map(({ scan, scale }) => scale.errorOf(scan.tolerance + ROUNDING))),
      refine: (ordinals) => this.refine(ordinals),
    };
  }

  private async leastDistances(): Promise<Float32Array> {
    const least = new Float32Array(this.parts[0].scan.distances.length).fill(Infinity);
    for (const { scan, scale } of this.parts) {
      const { distances } = scan;
      await inSlices(least.length, (start, end) => {
        for (let row = start; row < end; row++) {
          const distance = scale.distanceOf(distances[row]!);
          if (distance < least[row]!) least[row] = distance;
        }
      });
    }
    return least;
  }

  private async refine(ordinals: Int32Array): Promise<Float32Array> {
    const least = new Float32Array(ordinals.length).fill(Infinity);
    for (const { scan, scale } of this.parts) {
      const refined = await scan.refine(ordinals);
      for (let at = 0; at < least.length; at++)
        // No cosine distance is below 0, whatever the rounding.
        least[at] = Math.min(least[at]!, scale.distanceOf(Math.max(0, refined[at]!)));
    }
    return least;
  }
}
