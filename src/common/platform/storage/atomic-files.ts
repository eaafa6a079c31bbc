import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DirectorySync } from './directory-sync';
import { errorCode } from '../errors/error-code';
import type { FileCalls, OpenFile } from './file-calls';
import { StoreFullError } from './object-store';
import { UnfinishedFiles } from './unfinished-files';

const MAX_ATTEMPTS = 8;

/** Files under a root that are seen whole or not at all, and last once written. */
export class AtomicFiles {
  private readonly unfinished: UnfinishedFiles;
  private readonly directorySync: DirectorySync;

  constructor(
    private readonly root: string,
    unfinishedFolder: string,
    private readonly files: FileCalls,
  ) {
    this.directorySync = new DirectorySync(files);
    this.unfinished = new UnfinishedFiles(join(root, unfinishedFolder));
  }

  /** Fills a file aside, then a rename (or with `ifAbsent` a link, which fails with EEXIST) shows it at `target`. */
  async write<T>(
    target: string,
    fill: (file: OpenFile, path: string) => Promise<T>,
    options: { ifAbsent: boolean },
  ): Promise<T> {
    const path = this.unfinished.newPath();
    try {
      const filled = await this.fill(path, fill);
      await this.inFolder(dirname(target), () =>
        options.ifAbsent ? this.files.link(path, target) : this.files.rename(path, target),
      );
      if (options.ifAbsent) await rm(path, { force: true });
      return filled;
    } catch (error) {
      await rm(path, { force: true });
      if (['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '')) throw new StoreFullError(this.root, { cause: error });
      throw error;
    }
  }

  /** Removes folders that hold nothing, from `folder` up; those right under the root stay, others may be about to write there. */
  async removeEmptyFolders(folder: string): Promise<void> {
    for (let at = folder; at !== this.root && dirname(at) !== this.root; at = dirname(at)) {
      try {
        await rmdir(at);
      } catch (error) {
        if (['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) return;
        if (errorCode(error) !== 'ENOENT') throw error;
      }
    }
  }

  /** Makes the root, removes what dead processes left, and fails where files can't be written or linked. */
  async prepare(): Promise<void> {
    await this.unfinished.makeFolder();
    await this.unfinished.sweep();
    const probe = this.unfinished.newPath();
    try {
      await this.fill(probe, (file) => file.write(Buffer.from('probe')));
      await this.files.link(probe, `${probe}-link`);
    } finally {
      await rm(probe, { force: true });
      await rm(`${probe}-link`, { force: true });
    }
  }

  private async fill<T>(path: string, fill: (file: OpenFile, path: string) => Promise<T>): Promise<T> {
    const file = await this.create(path);
    try {
      const filled = await fill(file, path);
      await file.sync();
      return filled;
    } finally {
      await file.close();
    }
  }

  private async create(path: string): Promise<OpenFile> {
    try {
      return await this.files.open(path, 'wx');
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      await this.unfinished.makeFolder();
      return this.files.open(path, 'wx');
    }
  }

  /** A folder that a deletion found empty and removed meanwhile is made again. */
  private async inFolder(folder: string, show: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await show();
        break;
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw error;
        await this.makeFolder(folder);
      }
    }
    await this.directorySync.sync(folder);
  }

  private async makeFolder(folder: string): Promise<void> {
    const topmost = await mkdir(folder, { recursive: true });
    if (topmost === undefined) return;
    for (let at = folder; at.length >= topmost.length; at = dirname(at)) await this.directorySync.sync(dirname(at));
  }
}

/** The names in a folder; none when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}
