import { constants, type BigIntStats } from 'node:fs';
import { copyFile, rm, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { trimEndOf } from '../../text/texts';
import { AtomicFiles, namesIn } from './atomic-files';
import { contentTypeOf } from '../links/content-headers';
import { errorCode, errorMessage } from '../../errors/error-code';
import { AWAITED_CALLS, type FileCalls, type OpenFile, fileEtag } from './file-calls';
import { assertKeyPrefix, assertObjectKey, RESERVED_SEGMENT, compareKeys } from '../object-key';
import {
  InvalidKeyError,
  ObjectExistsError,
  ObjectNotFoundError,
  RangeNotSatisfiableError,
  StoreUnusableError,
  type ByteRange,
  type LanceLocation,
  type ObjectPage,
  type ObjectStore,
  type SignedUrlOptions,
  type StoredObject,
} from '../object-store';
import { signedMediaUrl, type UrlSigner } from '../links/url-signer';

interface Entry {
  /** The key or, for a folder, the common prefix of its keys with a trailing slash, so that entries are sorted in the order of keys. */
  readonly key: string;
  readonly isFolder: boolean;
}

export interface FolderStoreOptions {
  /** An absolute path. */
  readonly root: string;
  readonly signer: UrlSigner;
  readonly baseUrl: string;
}

const PAGE = 1000;
const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');

const describe = (key: string, stats: BigIntStats): StoredObject => ({
  key,
  size: Number(stats.size),
  etag: fileEtag(stats),
  lastModified: stats.mtime,
  contentType: contentTypeOf(key),
});

/** Stores objects as plain files. The segments of a key are folders, so no object can be below another object. */
export class FolderObjectStore implements ObjectStore {
  private readonly root: string;
  private readonly files: AtomicFiles;

  constructor(
    private readonly options: FolderStoreOptions,
    private readonly calls: FileCalls = AWAITED_CALLS,
  ) {
    this.root = trimEndOf(options.root, '/') || '/';
    this.files = new AtomicFiles(this.root, RESERVED_SEGMENT, calls);
  }

  async put(key: string, body: Readable | Uint8Array, options: { ifAbsent?: boolean } = {}): Promise<StoredObject> {
    return this.write(key, options.ifAbsent ?? false, async (file) => {
      await file.write(body);
      return describe(key, await file.stat());
    });
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    return (await this.openObject(key, range)).file.createReadStream(range);
  }

  async read(key: string, range?: ByteRange): Promise<Buffer> {
    const { file, size } = await this.openObject(key, range);
    try {
      return await file.read(range && { start: range.start, end: Math.min(range.end, size - 1) });
    } finally {
      await file.close();
    }
  }

  async head(key: string): Promise<StoredObject | undefined> {
    try {
      const stats = await this.calls.stat(this.localPath(key));
      return stats.isFile() ? describe(key, stats) : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async list(prefix: string, options: { after?: string; limit?: number } = {}): Promise<ObjectPage> {
    assertKeyPrefix(prefix);
    const limit = options.limit ?? PAGE;
    const objects: StoredObject[] = [];
    for await (const key of keysInOrder(this.root, prefix, options.after ?? '', RESERVED_SEGMENT)) {
      if (objects.length === limit) return { objects, next: objects.at(-1)!.key };
      const found = await this.head(key);
      if (found) objects.push(found);
    }
    return { objects };
  }

  async copy(from: string, to: string): Promise<void> {
    const source = this.localPath(from);
    if ((await this.head(from)) === undefined) throw new ObjectNotFoundError(from);
    await this.write(to, false, (_file, path) => copyFile(source, path, constants.COPYFILE_FICLONE));
  }

  async delete(keys: readonly string[]): Promise<void> {
    const paths = keys.map((key) => this.localPath(key));
    for (const path of paths) {
      const stats = await this.calls.stat(path).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      });
      if (!stats?.isFile()) continue;
      await rm(path, { force: true });
      await this.files.removeEmptyFolders(dirname(path));
    }
  }

  async deletePrefix(prefix: string): Promise<void> {
    if (prefix === '') throw new InvalidKeyError(prefix, 'would delete the whole store');
    assertKeyPrefix(prefix);
    const cut = prefix.lastIndexOf('/') + 1;
    const folder = join(this.root, prefix.slice(0, cut));
    const names = (await namesIn(folder)).filter(
      (name) => name.startsWith(prefix.slice(cut)) && name !== RESERVED_SEGMENT,
    );
    for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
    await this.files.removeEmptyFolders(folder.replace(/\/$/, ''));
  }

  async removeUnfinished(): Promise<void> {
    await this.files.removeAbandoned();
  }

  signedUrl(key: string, options: SignedUrlOptions): string {
    assertObjectKey(key);
    return signedMediaUrl(this.options.signer, this.options.baseUrl, { kind: 'store', path: key }, options);
  }

  lanceLocation(prefix: string): LanceLocation {
    assertKeyPrefix(prefix);
    return { uri: join(this.root, prefix).replace(/\/$/, ''), storageOptions: {} };
  }

  localPath(key: string): string {
    assertObjectKey(key);
    return join(this.root, key);
  }

  async check(): Promise<void> {
    try {
      await this.files.prepare();
    } catch (error) {
      throw new StoreUnusableError(`The folder ${this.root} can't be used as the store: ${errorMessage(error)}.`, {
        cause: error,
      });
    }
  }

  private async write<T>(
    key: string,
    ifAbsent: boolean,
    fill: (file: OpenFile, path: string) => Promise<T>,
  ): Promise<T> {
    const target = this.localPath(key);
    try {
      return await this.files.write(target, fill, { ifAbsent });
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EEXIST' && ifAbsent) throw new ObjectExistsError(key);
      if (code === 'EISDIR' || code === 'ENOTDIR' || code === 'EEXIST' || code === 'ENOTEMPTY') {
        throw new InvalidKeyError(key, 'is above or below another object of this folder store');
      }
      throw error;
    }
  }

  private async openObject(
    key: string,
    range: ByteRange | undefined,
  ): Promise<{ readonly file: OpenFile; readonly size: number }> {
    const file = await this.calls.open(this.localPath(key), 'r').catch((error: unknown) => {
      throw isMissing(error) ? new ObjectNotFoundError(key) : error;
    });
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw new ObjectNotFoundError(key);
      if (range !== undefined && (range.start >= stats.size || range.end < range.start))
        throw new RangeNotSatisfiableError(key, range);
      return { file, size: Number(stats.size) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }
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

/** Yields the keys of files below `root` that begin with `prefix` and come after `after`, in order; reads one folder at a time. */
async function* keysInOrder(
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
