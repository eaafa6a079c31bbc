import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { errorCode } from '../../errors/error-code';
import { AWAITED_CALLS, type FileCalls, type OpenFile, fileEtag } from '../folder/file-calls';
import { LocalSources, PLAIN_FILE, type LocalEntry, type LocalFile, type OnUnreadable } from './local-sources';
import { MediaRoots } from './media-roots';
import {
  ObjectNotFoundError,
  RangeNotSatisfiableError,
  type ByteRange,
  type ObjectStore,
  type SignedUrl,
  type SignedUrlOptions,
} from '../object-store';
import type { S3Connection } from '../s3/s3-connection';
import { S3Sources } from './s3-sources';
import {
  fileSource,
  parseSource,
  s3Source,
  SourceNotAllowedError,
  SourceNotFoundError,
  SourceOutsideError,
} from './source-location';
import { signedMediaUrl, type UrlSigner } from '../links/url-signer';

export { RoleRefusedError } from '../s3/s3-roles';
export { SourceNotAllowedError, SourceNotFoundError, SourceOutsideError };

export interface MediaSourcesOptions {
  readonly mediaRoots: readonly string[];
  readonly mediaBuckets: readonly string[];
  readonly s3: S3Connection | null;
  readonly store: ObjectStore;
  readonly signer: UrlSigner;
  readonly baseUrl: string;
  readonly fileCalls?: FileCalls;
}

export interface SourceStat {
  readonly size: number;
  readonly etag: string;
  readonly lastModified: Date;
}

export interface EnumeratedFile extends SourceStat {
  /** The location for reading it again: `file:///…` or `s3://bucket/key`. */
  readonly source: string;
  /** Relative to the requested location, with slashes. */
  readonly path: string;
}

export interface EnumerateOptions {
  /** Without it, an unreadable folder ends the enumeration with SourceNotAllowedError. */
  readonly onUnreadable?: OnUnreadable;
}

const refuse: OnUnreadable = (path, reason) => {
  throw new SourceNotAllowedError(`${path} can't be read: ${reason}.`);
};

const describeFile = ({ path, relativePath, stats }: LocalFile): EnumeratedFile => ({
  source: fileSource(path),
  path: relativePath,
  ...describeStats(stats),
});

const describeStats = (stats: LocalFile['stats']): SourceStat => ({
  size: Number(stats.size),
  etag: fileEtag(stats),
  lastModified: stats.mtime,
});

/** Originals in the store, or in the folders and buckets that the service may read. */
export class MediaSources {
  private readonly local: LocalSources;
  private readonly s3: S3Sources;
  private readonly roots: MediaRoots;

  constructor(private readonly options: MediaSourcesOptions) {
    this.local = new LocalSources(options.mediaRoots, options.fileCalls);
    this.s3 = new S3Sources(options.mediaBuckets, options.s3);
    this.roots = new MediaRoots(options.mediaRoots);
  }

  /** Throws SourceNotFoundError, SourceNotAllowedError, RangeNotSatisfiableError. */
  async open(source: string, range?: ByteRange): Promise<Readable> {
    const location = parseSource(source);
    if (location.kind === 's3') return this.s3.get(location, range);
    if (location.kind === 'file') return this.openLocal(location.path, range);
    return this.stored(source, (store) => store.get(location.key, range));
  }

  /** Reads a small file at once; for local files several times faster than a stream. */
  async read(source: string): Promise<Buffer> {
    const location = parseSource(source);
    if (location.kind === 'file') return this.local.read(location.path);
    if (location.kind === 's3') return buffer(await this.s3.get(location));
    return this.stored(source, (store) => store.read(location.key));
  }

  async stat(source: string): Promise<SourceStat> {
    const location = parseSource(source);
    if (location.kind === 'file') return describeStats(await this.local.stat(location.path));
    if (location.kind === 's3') return this.s3.head(location);
    const found = await this.options.store.head(location.key);
    if (found === undefined) throw new SourceNotFoundError(`Nothing is at ${source}.`);
    return found;
  }

  /**
   * Throws an outage if the folder of MEDIA_ROOTS that contains a local file is unavailable. Call it before reporting a file as missing or unreadable,
   * because all files on a share that is not mounted seem to be missing.
   */
  assertReachable(source: string): Promise<void> {
    return this.roots.assertReachable(source);
  }

  /** Opens a local file and checks that its real path may be read. */
  async openFile(source: string): Promise<OpenFile | undefined> {
    const location = parseSource(source);
    if (location.kind === 's3') return undefined;
    if (location.kind === 'file') return this.local.open(location.path);
    const path = this.options.store.localPath(location.key);
    if (path === undefined) return undefined;
    try {
      return await (this.options.fileCalls ?? AWAITED_CALLS).open(path, PLAIN_FILE);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? ''))
        throw new SourceNotFoundError(`Nothing is at ${source}.`);
      throw error;
    }
  }

  /** The path of a local file. */
  async localPath(source: string): Promise<string | undefined> {
    const location = parseSource(source);
    if (location.kind === 's3') return undefined;
    return location.kind === 'file' ? this.local.resolve(location.path) : this.options.store.localPath(location.key);
  }

  async *enumerate(uri: string, options: EnumerateOptions = {}): AsyncGenerator<EnumeratedFile> {
    const location = parseSource(uri);
    if (location.kind === 'store') throw new SourceNotAllowedError(`${uri} is not a folder or a bucket.`);
    if (location.kind === 'file') {
      for await (const file of this.local.walk(location.path, options.onUnreadable ?? refuse)) yield describeFile(file);
      return;
    }
    for await (const { key, relativePath, size, etag, lastModified } of this.s3.walk(location)) {
      yield { source: s3Source({ ...location, key }), path: relativePath, size, etag, lastModified };
    }
  }

  /** The entries of a local folder, without those of its subfolders. */
  entriesIn(path: string): AsyncGenerator<LocalEntry> {
    return this.local.entries(path);
  }

  /** Throws RoleRefusedError if the S3 store does not allow this service to assume the role. */
  assumeRole(role: string): Promise<void> {
    return this.s3.assumeRole(role);
  }

  signedSourceUrl(source: string, options: SignedUrlOptions): SignedUrl {
    const location = parseSource(source);
    if (location.kind === 'store') return this.options.store.signedUrl(location.key, options);
    if (location.kind === 's3' && location.role === undefined) return this.s3.presign(location, options);
    // A URL signed with the credentials of a role becomes invalid when they expire, so the service serves the file itself.
    const link = location.kind === 's3' ? ({ kind: 's3', path: source.slice('s3://'.length) } as const) : location;
    return signedMediaUrl(this.options.signer, this.options.baseUrl, link, options);
  }

  private async stored<T>(source: string, ask: (store: ObjectStore) => Promise<T>): Promise<T> {
    try {
      return await ask(this.options.store);
    } catch (error) {
      if (error instanceof ObjectNotFoundError) throw new SourceNotFoundError(`Nothing is at ${source}.`);
      throw error;
    }
  }

  private async openLocal(path: string, range?: ByteRange): Promise<Readable> {
    const file = await this.local.open(path);
    if (range === undefined) return file.createReadStream();
    const { size } = await file.stat();
    if (range.start < size && range.end >= range.start)
      return file.createReadStream({ start: range.start, end: range.end });
    await file.close();
    throw new RangeNotSatisfiableError(path, range);
  }
}
