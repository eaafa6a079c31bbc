import { buffer } from 'node:stream/consumers';
import { ObjectExistsError, ObjectNotFoundError, type ObjectStore } from '../storage/object-store';

/** The object in a store with the id of the installation that it belongs to. */
export const STORE_MARK_KEY = '.installation.json';

const MAX_BYTES = 4096;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The installation id in the store's mark; undefined if it has no mark. */
export async function readStoreMark(store: ObjectStore): Promise<string | undefined> {
  let text: string;
  try {
    text = (await buffer(await store.get(STORE_MARK_KEY))).toString('utf8', 0, MAX_BYTES);
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return undefined;
    throw error;
  }
  return idIn(text);
}

/** Returns false if the store already has a mark. */
export async function writeFirstStoreMark(store: ObjectStore, id: string): Promise<boolean> {
  try {
    await store.put(STORE_MARK_KEY, markOf(id), { ifAbsent: true });
    return true;
  } catch (error) {
    if (error instanceof ObjectExistsError) return false;
    throw error;
  }
}

export async function replaceStoreMark(store: ObjectStore, id: string): Promise<void> {
  await store.put(STORE_MARK_KEY, markOf(id));
}

const markOf = (installation: string): Buffer => Buffer.from(`${JSON.stringify({ installation })}\n`);

/** An unreadable mark is shown as it is; it equals no installation id. */
function idIn(text: string): string {
  try {
    const { installation } = JSON.parse(text) as { installation?: unknown };
    if (typeof installation === 'string' && UUID.test(installation)) return installation;
  } catch {
    // Not even JSON.
  }
  return `of unknown form (${JSON.stringify(text.slice(0, 80))})`;
}
