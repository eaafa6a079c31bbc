import { buffer } from 'node:stream/consumers';
import type { TableVersion } from '../../../common/engine/media-table/table-version';
import { ObjectNotFoundError, type ObjectStore } from '../../../common/platform/storage/object-store';
import { type KeptChunks, workPrefix } from '../../tables';
import { KeyHashSet } from '../../../common/platform/text/key-hash-set';

const folderOf = (generation: string): string => `keys/${generation}/`;
const keyOf = ({ generation, version }: TableVersion): string => `${folderOf(generation)}${version}.bin`;

/** The keys that a version references, as saved by an earlier sweep; undefined if missing or damaged. */
export const readMediaKeys = (store: ObjectStore, at: TableVersion): Promise<KeyHashSet | undefined> =>
  readKeys(store, keyOf(at));

async function readKeys(store: ObjectStore, key: string): Promise<KeyHashSet | undefined> {
  try {
    return KeyHashSet.fromBytes(await buffer(await store.get(key)));
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return undefined;
    throw error;
  }
}

/** Also deletes the files of versions of the generation that nothing points to any more. */
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

/** Ignores a missing file. */
export const dropMediaKeys = (store: ObjectStore, generation: string): Promise<void> =>
  store.deletePrefix(folderOf(generation));

/** It is deleted with the other work of the task. */
const keyOfChunks = ({ taskId, digest }: KeptChunks): string => `${workPrefix(taskId)}media-keys-${digest}.bin`;

export const readChunkMediaKeys = (store: ObjectStore, chunks: KeptChunks): Promise<KeyHashSet | undefined> =>
  readKeys(store, keyOfChunks(chunks));

export const writeChunkMediaKeys = (store: ObjectStore, chunks: KeptChunks, keys: KeyHashSet): Promise<unknown> =>
  store.put(keyOfChunks(chunks), keys.toBytes());
