import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface LocalFile {
  /** The path below the folder, with slashes. */
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** All files of a folder, sorted by name, without hidden files and links to folders. */
export async function filesOf(folder: string): Promise<LocalFile[]> {
  const found: LocalFile[] = [];
  await collect(folder, '', found);
  return found;
}

async function collect(folder: string, below: string, found: LocalFile[]): Promise<void> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) await collect(folder, path, found);
    else if (entry.isFile() || entry.isSymbolicLink()) {
      const { size, mtimeMs, isFile } = await read(join(folder, path));
      if (isFile) found.push({ path, size, modifiedMs: mtimeMs });
    }
  }
}

async function read(
  path: string,
): Promise<{ readonly size: number; readonly mtimeMs: number; readonly isFile: boolean }> {
  try {
    const stats = await stat(path);
    return { size: stats.size, mtimeMs: Math.floor(stats.mtimeMs), isFile: stats.isFile() };
  } catch {
    // A broken link, or a file that was just removed.
    return { size: 0, mtimeMs: 0, isFile: false };
  }
}
