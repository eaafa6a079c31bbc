import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../errors/error-code';
import { compareKeys } from '../object-key';

interface Entry {
  /** The key or, for a folder, the common prefix of its keys with the slash, so that entries sort as keys do. */
  readonly key: string;
  readonly isFolder: boolean;
}

async function entriesOf(root: string, folderKey: string): Promise<Entry[]> {
  try {
    const found = await readdir(join(root, folderKey), { withFileTypes: true });
    return found
      .filter((entry) => entry.isDirectory() || entry.isFile())
      .map((entry) => {
        const isFolder = entry.isDirectory();
        return { key: `${folderKey}${entry.name}${isFolder ? '/' : ''}`, isFolder };
      });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

/** The keys of files below `root` that begin with `prefix` and come after `after`, in order; reads one folder at a time. */
export async function* keysInOrder(
  root: string,
  prefix: string,
  after: string,
  hidden: string,
  folderKey = prefix.slice(0, prefix.lastIndexOf('/') + 1),
): AsyncGenerator<string> {
  const entries = await entriesOf(root, folderKey);
  const wanted = entries.filter(
    ({ key, isFolder }) =>
      (key.startsWith(prefix) || (isFolder && prefix.startsWith(key))) &&
      (compareKeys(key, after) > 0 || (isFolder && after.startsWith(key))) &&
      key !== `${hidden}/`,
  );
  wanted.sort((a, b) => compareKeys(a.key, b.key));
  for (const { key, isFolder } of wanted) {
    if (isFolder) yield* keysInOrder(root, prefix, after, hidden, key);
    else yield key;
  }
}
