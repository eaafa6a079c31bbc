import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../errors/error-code';
import type { FileCalls, OpenFile } from './file-calls';
import { StoreFullError } from '../object-store';
import { UnfinishedFiles } from './unfinished-files';

interface Turn {
  running: Promise<void>;
  waiting: Promise<void> | undefined;
}

/** Makes renames in a folder durable. Callers that arrive during an fsync of the folder share the next one, so many writers need few fsyncs. */
export class DirectorySync {
  private readonly turns = new Map<string, Turn>();

  constructor(private readonly files: FileCalls) {}

  sync(folder: string): Promise<void> {
    const turn = this.turns.get(folder);
    if (turn === undefined) return this.start(folder);
    turn.waiting ??= turn.running.then(
      () => this.start(folder),
      () => this.start(folder),
    );
    return turn.waiting;
  }

  private start(folder: string): Promise<void> {
    const turn: Turn = { running: this.flush(folder), waiting: undefined };
    this.turns.set(folder, turn);
    const forget = () => {
      if (turn.waiting === undefined && this.turns.get(folder) === turn) this.turns.delete(folder);
    };
    turn.running.then(forget, forget);
    return turn.running;
  }

  private async flush(folder: string): Promise<void> {
    const handle = await this.files.open(folder, 'r').catch((error: unknown) => {
      // A concurrent deletion removed the folder, so nothing is left to make durable.
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (handle === undefined) return;
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

const MAX_ATTEMPTS = 8;

/** Writes files below a root atomically and durably. */
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

  /** Fills a temporary file, then moves it to `target` by a rename or, with `ifAbsent`, by a hard link, which fails with EEXIST. */
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

  /** Removes empty folders from `folder` upwards. Folders directly below the root stay, because other writers may be about to use them. */
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

  /** Removes temporary files of dead processes. */
  async removeAbandoned(): Promise<void> {
    await this.unfinished.sweep();
  }

  /** Creates the root, removes temporary files of dead processes, and fails if files cannot be written or linked. */
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

  /** Recreates a folder that a concurrent deletion found empty and removed. */
  private async inFolder(folder: string, publish: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await publish();
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

/** The names in a folder; empty if the folder does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}
