import { readdir, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';

const OLD_MS = 3 * 24 * 60 * 60 * 1000;

/** The keys of a folder store that begin with one of these folders, in order. */
export async function storedKeys(store: string, ...folders: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(join(store, folder), { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isFile()) found.push(relative(store, join(entry.parentPath, entry.name)));
  }
  return found.sort();
}

/** Changes the times of the objects, as if they were days old. */
export async function ageKeys(store: string, ...folders: string[]): Promise<void> {
  const then = new Date(Date.now() - OLD_MS);
  for (const key of await storedKeys(store, ...folders)) await utimes(join(store, key), then, then);
}
