import { buffer } from 'node:stream/consumers';
import type { TableVersion } from '../../../common/engine/media-table/table-version';
import { ObjectNotFoundError, type ObjectStore } from '../../../common/platform/storage/object-store';
import { KeyHashSet } from '../key-hash-set';

const folderOf = (generation: string): string => `keys/${generation}/`;
const keyOf = ({ generation, version }: TableVersion): string => `${folderOf(generation)}${version}.bin`;

/** What the rows of a version name, as a sweep wrote it down when it read them; undefined where none has, or it is damaged. */
export async function readMediaKeys(store: ObjectStore, at: TableVersion): Promise<KeyHashSet | undefined> {
  try {
    return KeyHashSet.fromBytes(await buffer(await store.get(keyOf(at))));
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return undefined;
    throw error;
  }
}

/** And removes those of the generation's versions that nothing points at any more. */
export async function writeMediaKeys(
  store: ObjectStore,
  at: TableVersion,
  keys: KeyHashSet,
  published: readonly TableVersion[],
): Promise<void> {
  await store.put(keyOf(at), keys.toBytes());
  const kept = new Set(published.map(keyOf));
  const { objects } = await store.list(folderOf(at.generation));
  await store.delete(objects.flatMap(({ key }) => (kept.has(key) ? [] : [key])));
}

/** Missing is no error. */
export const dropMediaKeys = (store: ObjectStore, generation: string): Promise<void> =>
  store.deletePrefix(folderOf(generation));
