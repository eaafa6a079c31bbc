import { Logger } from '@nestjs/common';
import { BoundedCache, type CacheUsage } from '../../common/platform/cache/bounded-cache';
import { beforeReadingAhead } from '../../common/platform/concurrency/in-slices';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { CARD_COLUMN, readCard, type Card, type CardTexts } from '../../common/engine/media-table/row-card';
import { versionName } from '../../common/engine/media-table/table-version';

/** Estimated size of a card, for tables whose cards are not loaded yet. */
const LIKELY_CARD_BYTES = 300;

interface Slice {
  readonly first: number;
  readonly bytes: Buffer;
  /** Card i of the slice is at bounds[i] to bounds[i + 1]. */
  readonly bounds: Int32Array;
}

/** The stored cards of a table version, in memory: reading scattered rows from the table would be slow. */
export class PreviewCards {
  private constructor(private readonly slices: readonly Slice[]) {}

  static async load(table: MediaTable): Promise<PreviewCards> {
    const slices: Slice[] = [];
    for await (const { first, count, bytes, bounds } of table.readTexts(CARD_COLUMN)) {
      const start = bounds[0]!;
      // Copied, because the memory of the batch is reused; and not by `Buffer.from`, whose small buffers hold on to a pool of 64 KiB.
      const own = new Uint8Array(bytes.subarray(start, bounds[count]));
      slices.push({
        first,
        bytes: Buffer.from(own.buffer),
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

  texts(ordinals: readonly number[]): CardTexts {
    const places = ordinals.map((ordinal) => {
      const { first, bytes, bounds } = this.sliceOf(ordinal);
      return { bytes, start: bounds[ordinal - first]!, end: bounds[ordinal - first + 1]! };
    });
    const bounds = new Int32Array(places.length + 1);
    for (const [at, { start, end }] of places.entries()) bounds[at + 1] = bounds[at]! + end - start;
    const texts = new Uint8Array(bounds.at(-1)!);
    for (const [at, { bytes, start, end }] of places.entries()) bytes.copy(texts, bounds[at], start, end);
    return { bytes: texts, bounds };
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

/** LRU cache of cards, within a budget of bytes that all datasets share. Cards are loaded in the background; no request waits for them. */
export class PreviewCardCache {
  private readonly logger = new Logger('Explore');
  private readonly kept: BoundedCache<PreviewCards>;
  private readonly attempted = new Set<string>();

  constructor(private readonly budgetBytes: number) {
    this.kept = new BoundedCache(budgetBytes, ({ bytes }) => bytes);
  }

  get bytes(): number {
    return this.kept.weight;
  }

  get usage(): CacheUsage {
    return this.kept.usage;
  }

  /** Undefined until the cards are loaded, and for tables that exceed the budget. */
  get(table: MediaTable): PreviewCards | undefined {
    const key = versionName(table.at);
    const cards = this.kept.get(key);
    if (cards === undefined && !this.attempted.has(key) && table.rows * LIKELY_CARD_BYTES <= this.budgetBytes)
      this.load(key, table);
    return cards;
  }

  private load(key: string, table: MediaTable): void {
    this.attempted.add(key);
    this.kept
      .getOrLoad(key, () => beforeReadingAhead().then(() => PreviewCards.load(table)))
      .then(
        // Do not retry cards that are too large; evicted ones may be loaded again.
        ({ bytes }) => bytes <= this.budgetBytes && this.attempted.delete(key),
        (error: unknown) => {
          this.attempted.delete(key);
          this.logger.warn(`The preview cards of ${key} could not be read: ${String(error)}`);
        },
      );
  }
}
