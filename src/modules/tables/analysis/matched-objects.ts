import { json } from 'node:stream/consumers';
import type { MatchedObject } from '../../../common/engine/media-table/media-row';
import type { ObjectStore } from '../../../common/platform/storage/object-store';

/** The matched objects that a picture has from now on. */
export interface MatchedInPicture {
  readonly pictureId: string;
  readonly objects: readonly MatchedObject[];
}

/** Beside a chunk of objects; absent if it matched none. */
const matchedKey = (storeKey: string): string => `${storeKey}.matched.json`;

export async function storeMatched(
  store: ObjectStore,
  storeKey: string,
  matched: readonly MatchedInPicture[],
): Promise<void> {
  if (matched.length > 0) await store.put(matchedKey(storeKey), Buffer.from(JSON.stringify(matched)));
}

/** The matched objects of chunks, read beside the rows of pictures, in whose order they are. */
export class MatchedObjects {
  private readonly found: AsyncGenerator<MatchedInPicture>;
  private next: Promise<IteratorResult<MatchedInPicture>> | undefined;

  constructor(store: ObjectStore, storeKeys: readonly string[]) {
    this.found = matchedIn(store, storeKeys);
  }

  async isEmpty(): Promise<boolean> {
    return (await (this.next ??= this.found.next())).done === true;
  }

  /** Undefined for a picture that none were matched in. */
  async of(pictureId: string): Promise<readonly MatchedObject[] | undefined> {
    const next = await (this.next ??= this.found.next());
    if (next.done === true || next.value.pictureId !== pictureId) return undefined;
    this.next = undefined;
    return next.value.objects;
  }

  /** After the last row. */
  async assertRead(): Promise<void> {
    if (!(await this.isEmpty())) throw new Error('Matched objects are not in the order of the rows');
  }
}

async function* matchedIn(store: ObjectStore, storeKeys: readonly string[]): AsyncGenerator<MatchedInPicture> {
  for (const storeKey of storeKeys) {
    const key = matchedKey(storeKey);
    if ((await store.head(key)) !== undefined) yield* (await json(await store.get(key))) as MatchedInPicture[];
  }
}
