import { Logger } from '@nestjs/common';
import { BoundedCache } from '../../common/platform/cache/bounded-cache';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { CARD_COLUMN, readCard, type Card } from '../../common/engine/media-table/row-card';
import { versionName } from '../../common/engine/media-table/table-version';

/** Of all texts of a card, for tables whose cards are not read yet. */
const LIKELY_CARD_BYTES = 300;

interface Slice {
  readonly first: number;
  readonly bytes: Buffer;
  /** Card i of the slice lies from bounds[i] to bounds[i + 1]. */
  readonly bounds: Int32Array;
}

/** The cards of a table version as they are stored: rows picked from all over the table cost nothing here. */
export class PreviewCards {
  private constructor(private readonly slices: readonly Slice[]) {}

  static async load(table: MediaTable): Promise<PreviewCards> {
    const slices: Slice[] = [];
    for await (const { first, count, bytes, bounds } of table.readTexts(CARD_COLUMN)) {
      const start = bounds[0]!;
      // Copies, for the batch goes back to its owner.
      slices.push({
        first,
        bytes: Buffer.from(bytes.subarray(start, bounds[count])),
        bounds: bounds.slice(0, count + 1).map((bound) => bound - start),
      });
    }
    return new PreviewCards(slices);
  }

  get bytes(): number {
    return this.slices.reduce((sum, { bytes, bounds }) => sum + bytes.byteLength + bounds.byteLength, 0);
  }

  of(ordinal: number): Card {
    const { first, bytes, bounds } = this.sliceOf(ordinal);
    return readCard(bytes.toString('utf8', bounds[ordinal - first], bounds[ordinal - first + 1]));
  }

  private sliceOf(ordinal: number): Slice {
    let [low, high] = [0, this.slices.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.slices[middle]!.first <= ordinal) low = middle;
      else high = middle - 1;
    }
    return this.slices[low]!;
  }
}

/** Cards of the versions used last, within a budget of bytes that all datasets share; read aside, nobody waits for them. */
export class PreviewCardCache {
  private readonly logger = new Logger('Explore');
  private readonly kept: BoundedCache<PreviewCards>;
  private readonly given = new Set<string>();

  constructor(private readonly budgetBytes: number) {
    this.kept = new BoundedCache(budgetBytes, ({ bytes }) => bytes);
  }

  get bytes(): number {
    return this.kept.weight;
  }

  /** Undefined until they are there, and for tables whose cards are too many for the budget. */
  get(table: MediaTable): PreviewCards | undefined {
    const key = versionName(table.at);
    const cards = this.kept.get(key);
    if (cards === undefined && !this.given.has(key) && table.rows * LIKELY_CARD_BYTES <= this.budgetBytes)
      this.load(key, table);
    return cards;
  }

  private load(key: string, table: MediaTable): void {
    this.given.add(key);
    this.kept
      .getOrLoad(key, () => PreviewCards.load(table))
      .then(
        // What proves too large is not tried again; what a newer version pushed out may come back.
        ({ bytes }) => bytes <= this.budgetBytes && this.given.delete(key),
        (error: unknown) => {
          this.given.delete(key);
          this.logger.warn(`The cards of ${key} can't be read: ${String(error)}`);
        },
      );
  }
}
