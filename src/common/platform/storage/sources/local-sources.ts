import { constants, type BigIntStats, type Dirent } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { errorCode, errorMessage } from '../../errors/error-code';
import { AWAITED_CALLS, nameOfOpened, type FileCalls, type OpenFile } from '../folder/file-calls';
import { isInside } from './media-roots';
import { SourceNotAllowedError, SourceNotFoundError, SourceOutsideError } from './source-location';

export interface LocalFile {
  readonly path: string;
  /** Relative to the requested folder, with slashes. */
  readonly relativePath: string;
  readonly stats: BigIntStats;
}

export interface LocalEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** Called for each folder or file that exists but cannot be read. */
export type OnUnreadable = (path: string, reason: string) => void;

interface Folder {
  readonly path: string;
  readonly relativePath: string;
}

const BATCH = 256;
/** Fails for a symbolic link in place of the file, and does not block on a pipe. */
export const PLAIN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK;

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');

/** The local files that the service may read: those whose real path is below one of the roots. */
export class LocalSources {
  constructor(
    private readonly roots: readonly string[],
    private readonly calls: FileCalls = AWAITED_CALLS,
  ) {}

  /** The real path, with links resolved. */
  async resolve(path: string): Promise<string> {
    const roots = await this.realRoots();
    try {
      const real = await this.calls.realpath(path);
      if (roots.some((root) => isInside(root, real))) return real;
    } catch (error) {
      if (!isMissing(error) && errorCode(error) !== 'ENAMETOOLONG') throw unreadable(path, error);
      const asked = resolve(path);
      if ([...roots, ...this.roots].some((root) => isInside(root, asked)))
        throw new SourceNotFoundError(`Nothing is at ${path}.`);
    }
    throw outside(path);
  }

  async stat(path: string): Promise<BigIntStats> {
    const file = await this.open(path);
    try {
      return await file.stat();
    } finally {
      await file.close();
    }
  }

  async read(path: string): Promise<Buffer> {
    const file = await this.open(path);
    try {
      return await file.read();
    } finally {
      await file.close();
    }
  }

  /** Opens a regular file. */
  async open(path: string): Promise<OpenFile> {
    const real = await this.resolve(path);
    try {
      const file = await this.opened(path, real, PLAIN_FILE);
      if ((await file.stat()).isFile()) return file;
      await file.close();
    } catch (error) {
      if (!isMissing(error)) throw unreadable(path, error);
    }
    throw new SourceNotFoundError(`No file is at ${path}.`);
  }

  /** Checked after opening, because a folder in the path can be replaced by a link in between. */
  private async opened(path: string, real: string, flags: number): Promise<OpenFile> {
    const file = await this.calls.open(real, flags);
    try {
      const lies = (await file.path()) ?? (await this.calls.realpath(real));
      if ((await this.realRoots()).some((root) => isInside(root, lies))) return file;
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
    throw outside(path);
  }

  /**
   * Yields all files below a path in the order of the file system, except hidden ones. Links are followed if their target is below the roots. Each
   * folder is walked once, by its own path if that is below the start.
   */
  async *walk(start: string, onUnreadable: OnUnreadable): AsyncGenerator<LocalFile> {
    const real = await this.resolve(start);
    const stats = await stat(real, { bigint: true });
    if (stats.isFile()) {
      yield { path: real, relativePath: basename(start), stats };
      return;
    }
    const seen = new Set<string>();
    const folders: Folder[] = [{ path: real, relativePath: '' }];
    const linked: Folder[] = [];
    for (let folder = folders.pop(); folder; folder = folders.pop() ?? linked.shift()) {
      const folderReal = await realpath(folder.path).catch(() => folder.path);
      if (seen.has(folderReal)) continue;
      seen.add(folderReal);
      yield* this.filesIn(folder, folders, linked, onUnreadable);
    }
  }

  /** Yields the folders and files directly in a folder in the order of the file system, except hidden ones; a link counts as its target. */
  async *entries(path: string): AsyncGenerator<LocalEntry> {
    const real = await this.resolve(path);
    const opened = await this.opened(path, real, FOLDER).catch((error: unknown) => {
      throw isMissing(error) ? new SourceNotFoundError(`No folder is at ${path}.`) : unreadable(path, error);
    });
    try {
      for await (const entry of await opendir(nameOfOpened(opened.descriptor) ?? real, { bufferSize: BATCH })) {
        const { name } = entry;
        if (name.startsWith('.')) continue;
        const stats = entry.isSymbolicLink() ? await this.target(join(real, name)).catch(() => undefined) : entry;
        if (stats?.isDirectory() === true || stats?.isFile() === true) yield { name, isFolder: stats.isDirectory() };
      }
    } finally {
      await opened.close();
    }
  }

  private async *filesIn(
    folder: Folder,
    folders: Folder[],
    linked: Folder[],
    onUnreadable: OnUnreadable,
  ): AsyncGenerator<LocalFile> {
    let batch: Dirent[] = [];
    let opened: OpenFile | undefined;
    try {
      opened = await this.opened(folder.path, folder.path, FOLDER);
      // Opened by its descriptor, so that it is the folder that was checked.
      const place = nameOfOpened(opened.descriptor) ?? folder.path;
      for await (const entry of await opendir(place, { bufferSize: BATCH })) {
        if (entry.name.startsWith('.')) continue;
        if (entry.isDirectory()) folders.push(below(folder, entry.name));
        else if (entry.isFile() || entry.isSymbolicLink()) batch.push(entry);
        if (batch.length < BATCH) continue;
        yield* await this.describe(folder, place, batch, linked, onUnreadable);
        batch = [];
      }
      yield* await this.describe(folder, place, batch, linked, onUnreadable);
    } catch (error) {
      if (error instanceof SourceNotAllowedError && (opened !== undefined || folder.relativePath === '')) throw error;
      if (!isMissing(error)) onUnreadable(folder.path, errorMessage(error));
      else if (folder.relativePath.includes('\ufffd')) onUnreadable(folder.path, 'its name is not valid UTF-8');
      else if (folder.relativePath === '') throw new SourceNotFoundError(`Nothing is at ${folder.path} any more.`);
    } finally {
      await opened?.close();
    }
  }

  private async describe(
    folder: Folder,
    place: string,
    entries: readonly Dirent[],
    linked: Folder[],
    onUnreadable: OnUnreadable,
  ): Promise<LocalFile[]> {
    const described = await Promise.all(
      entries.map(async (entry) => {
        const at = below(folder, entry.name);
        try {
          const stats = entry.isSymbolicLink()
            ? await this.followed(at, linked)
            : await lstat(join(place, entry.name), { bigint: true });
          return stats?.isFile() ? [{ ...at, stats }] : [];
        } catch (error) {
          // Node replaces invalid UTF-8 in names, and no file has the replaced name.
          if (isMissing(error) && entry.name.includes('\ufffd')) onUnreadable(at.path, 'its name is not valid UTF-8');
          else if (!isMissing(error)) onUnreadable(at.path, errorMessage(error));
          return [];
        }
      }),
    );
    return described.flat();
  }

  /** The target of a link if it is below the roots. */
  private async followed(link: Folder, linked: Folder[]): Promise<BigIntStats | undefined> {
    try {
      const stats = await this.target(link.path);
      if (stats.isDirectory()) linked.push(link);
      return stats;
    } catch (error) {
      if (error instanceof SourceNotAllowedError || error instanceof SourceNotFoundError) return undefined;
      throw error;
    }
  }

  private async target(link: string): Promise<BigIntStats> {
    return stat(await this.resolve(link), { bigint: true });
  }

  private async realRoots(): Promise<string[]> {
    const found = await Promise.all(this.roots.map((root) => this.calls.realpath(root).catch(() => undefined)));
    return found.filter((root) => root !== undefined);
  }
}

const below = (folder: Folder, name: string): Folder => ({
  path: join(folder.path, name),
  relativePath: folder.relativePath === '' ? name : `${folder.relativePath}/${name}`,
});

const outside = (path: string): SourceOutsideError =>
  new SourceOutsideError(`${path} is outside the folders that this service may read. Add its folder to MEDIA_ROOTS.`);

const unreadable = (path: string, error: unknown): Error =>
  error instanceof SourceNotAllowedError || error instanceof SourceNotFoundError
    ? error
    : new SourceNotAllowedError(`${path} can't be read: ${errorMessage(error)}.`, { cause: error });
