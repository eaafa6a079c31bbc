import { buffer } from 'node:stream/consumers';
import { pMapIterable } from 'p-map';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { decodeChunk } from '../../../common/engine/media-table/row-batch';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import type { AppliedChunk } from '../persistence/applied-chunk.repository';

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

  async *rows(): AsyncGenerator<MediaRow> {
    for (const { storeKey, objects } of this.chunks)
      if (objects > 0) yield* decodeChunk(await buffer(await this.store.get(storeKey)));
  }
}
