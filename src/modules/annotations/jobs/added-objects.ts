import { buffer, json } from 'node:stream/consumers';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { decodeChunk, encodeChunk } from '../../../common/engine/media-table/row-batch';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { type AnalyzedChunk, unusedAnnotationWarnings } from '../../tables';

/** Beside the chunk: the ids of pictures that could not be read. */
const unreadKey = (storeKey: string): string => `${storeKey}.unread.json`;

export async function storeChunk(
  store: ObjectStore,
  storeKey: string,
  rows: readonly MediaRow[],
  unread: readonly string[],
): Promise<void> {
  await store.put(unreadKey(storeKey), Buffer.from(JSON.stringify(unread)));
  await store.put(storeKey, encodeChunk(rows));
}

/** The objects that were cut out of pictures, in the order of the pictures. */
export class AddedObjects {
  readonly count: number;

  constructor(
    private readonly store: ObjectStore,
    private readonly chunks: readonly AnalyzedChunk[],
  ) {
    this.count = chunks.reduce((sum, { objects }) => sum + objects, 0);
  }

  /** Warnings about boxes that could not be used. */
  get warnings(): string[] {
    return unusedAnnotationWarnings(this.chunks);
  }

  async *rows(): AsyncGenerator<MediaRow> {
    for (const { storeKey, objects } of this.chunks)
      if (objects > 0) yield* decodeChunk(await buffer(await this.store.get(storeKey)));
  }

  async *unreadPictures(): AsyncGenerator<string> {
    for (const { storeKey } of this.chunks)
      yield* (await json(await this.store.get(unreadKey(storeKey)))) as readonly string[];
  }
}
