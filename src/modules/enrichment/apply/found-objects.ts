import { pMapIterable } from 'p-map';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { decodeChunk } from '../../../common/engine/media-table/row-batch';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { MatchedObjects } from '../../tables';
import type { AppliedChunk } from '../persistence/applied-chunk.repository';
import { kindCode } from '../../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../../common/engine/media-table/media-table';

const BATCH_ROWS = 8_192;
/** Whole numbers up to 2 ** 53 are exact. */
const EXACT_BITS = 53;
const HASH_BITS = 32;

/**
 * The order in which models look at the objects of a table: those of one picture after the other, so that each picture is decoded once. In the
 * table they lie by their clusters.
 */
export class ObjectOrder {
  private constructor(
    /** Of the objects, in this order. */
    readonly ordinals: Int32Array,
    private readonly turns: Int32Array,
  ) {}

  /** Of the objects that pass the filter; the same each time. */
  static async of(table: MediaTable, filter: string): Promise<ObjectOrder> {
    const objects = `kind = ${kindCode('OBJECT')} AND ${filter}`;
    const ordinals = await table.filterOrdinals(objects);
    const bits = Math.ceil(Math.log2(ordinals.length + 1));
    const span = 2 ** bits;
    const pictures = 2 ** Math.min(HASH_BITS, EXACT_BITS - bits);
    // A picture and a place in one number each, because these are sorted many times faster than objects.
    const keys = new Float64Array(ordinals.length);
    let at = 0;
    for await (const batch of table.readRows(['parentId'], { filter: objects, batchRows: BATCH_ROWS }))
      for (const { parentId } of batch) keys[at] = (numberOf(parentId) % pictures) * span + at++;
    const order = Int32Array.from(keys.sort(), (key) => key % span);
    const turns = new Int32Array(order.length);
    order.forEach((nth, turn) => (turns[nth] = turn));
    return new ObjectOrder(
      order.map((nth) => ordinals[nth]!),
      turns,
    );
  }

  get count(): number {
    return this.ordinals.length;
  }

  /** When the n-th object of the table is looked at. */
  turnOf(nth: number): number {
    return this.turns[nth]!;
  }
}

/** Of an id: its first eight digits. */
const numberOf = (id: string | null): number => (id === null ? 0 : Number.parseInt(id.slice(0, 8), 16) || 0);

const LOOKUPS_AT_ONCE = 16;

/** The objects that a detector found, in the order of their pictures. */
export class FoundObjects {
  readonly count: number;

  constructor(
    private readonly store: ObjectStore,
    private readonly chunks: readonly AppliedChunk[],
  ) {
    this.count = chunks.reduce((sum, { objects }) => sum + objects, 0);
  }

  /** Whether the store has the thumbnails of all. */
  async haveThumbnails(): Promise<boolean> {
    const found = pMapIterable(this.rows(), ({ thumbnailKey }) => this.store.head(thumbnailKey!), {
      concurrency: LOOKUPS_AT_ONCE,
    });
    for await (const thumbnail of found) if (thumbnail === undefined) return false;
    return true;
  }

  /** Those without rows, to be read in the order of the pictures. */
  matched(): MatchedObjects {
    return new MatchedObjects(
      this.store,
      this.chunks.map(({ storeKey }) => storeKey),
    );
  }

  async *rows(): AsyncGenerator<MediaRow> {
    for (const { storeKey, objects } of this.chunks)
      if (objects > 0) yield* decodeChunk(await this.store.read(storeKey));
  }
}
