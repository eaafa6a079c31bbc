import { buffer } from 'node:stream/consumers';
import { ObjectExistsError, ObjectNotFoundError, type ObjectStore } from '../storage/object-store';

/** The object by which a store tells whose it is. */
export const STORE_MARK_KEY = '.installation.json';

const MOST_BYTES = 4096;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The id of the installation whose mark the store carries; undefined where it carries none. */
export async function readStoreMark(store: ObjectStore): Promise<string | undefined> {
  let text: string;
  try {
    text = (await buffer(await store.get(STORE_MARK_KEY))).toString('utf8', 0, MOST_BYTES);
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return undefined;
    throw error;
  }
  return idIn(text);
}

/** Says whether it was written; false where the store carries a mark already. */
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

/** What is no mark of ours is shown as it is: nobody's id equals it. */
function idIn(text: string): string {
  try {
    const { installation } = JSON.parse(text) as { installation?: unknown };
    if (typeof installation === 'string' && UUID.test(installation)) return installation;
  } catch {
    // Not even JSON.
  }
  return `of unknown form (${JSON.stringify(text.slice(0, 80))})`;
}
