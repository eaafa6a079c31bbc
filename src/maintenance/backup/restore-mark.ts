import { buffer } from 'node:stream/consumers';
import { ObjectNotFoundError, type ObjectStore } from '../../common/platform/storage/object-store';

/** Marks a store while a backup is restored into it, so that an interrupted restore can continue. */
const KEY = '.restore.json';

/** The id of the backup that is being restored. */
export async function readRestoreMark(store: ObjectStore): Promise<string | undefined> {
  try {
    return (JSON.parse((await buffer(await store.get(KEY))).toString('utf8')) as { backup: string }).backup;
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return undefined;
    throw error;
  }
}

export async function writeRestoreMark(store: ObjectStore, backup: string): Promise<void> {
  await store.put(KEY, Buffer.from(`${JSON.stringify({ backup })}\n`));
}

export const clearRestoreMark = (store: ObjectStore): Promise<void> => store.delete([KEY]);
