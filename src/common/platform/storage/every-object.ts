import type { ObjectStore, StoredObject } from './object-store';

/** In the order of their keys, page by page. */
export async function* everyObject(store: ObjectStore, prefix: string): AsyncGenerator<StoredObject> {
  let after: string | undefined;
  do {
    const page = await store.list(prefix, after === undefined ? {} : { after });
    yield* page.objects;
    after = page.next;
  } while (after !== undefined);
}
