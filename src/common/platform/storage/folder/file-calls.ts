import {
  closeSync,
  createReadStream,
  fstatSync,
  fsync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
  type BigIntStats,
} from 'node:fs';
import { link, open, readlink, realpath, rename, stat, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { ByteRange } from '../object-store';

export interface OpenFile {
  /** The file descriptor, by which other programs can open this file with `nameOfOpened`. */
  readonly descriptor: number;
  stat(): Promise<BigIntStats>;
  /** The real path of the open file; undefined if the system does not provide it. */
  path(): Promise<string | undefined>;
  /** Reads the whole file, or as much of a part as there is. */
  read(range?: ByteRange): Promise<Buffer>;
  write(body: Readable | Uint8Array): Promise<void>;
  /** Closes the file when the stream ends or is destroyed. */
  createReadStream(range?: ByteRange): Readable;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Calls that are made many times per file and complete quickly. */
export interface FileCalls {
  open(path: string, flags: string | number): Promise<OpenFile>;
  stat(path: string): Promise<BigIntStats>;
  realpath(path: string): Promise<string>;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

/** A path to an open file of this process that stays valid if the file is moved; undefined if the system has none. */
export const nameOfOpened = (descriptor: number): string | undefined =>
  process.platform === 'linux' ? `/proc/${process.pid}/fd/${descriptor}` : undefined;

/** Aligned for any numbers. */
const roomFor = ({ start, end }: ByteRange): Buffer => Buffer.allocUnsafeSlow(end - start + 1);

class HandledFile implements OpenFile {
  constructor(private readonly file: FileHandle) {}

  get descriptor(): number {
    return this.file.fd;
  }

  stat(): Promise<BigIntStats> {
    return this.file.stat({ bigint: true });
  }

  async path(): Promise<string | undefined> {
    const name = nameOfOpened(this.file.fd);
    return name === undefined ? undefined : readlink(name).catch(() => undefined);
  }

  async read(range?: ByteRange): Promise<Buffer> {
    if (range === undefined) return this.file.readFile();
    const bytes = roomFor(range);
    let length = 0;
    for (;;) {
      const { bytesRead } = await this.file.read(bytes, length, bytes.length - length, range.start + length);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) return bytes.subarray(0, length);
    }
  }

  write(body: Readable | Uint8Array): Promise<void> {
    return this.file.writeFile(body);
  }

  createReadStream(range?: ByteRange): Readable {
    return this.file.createReadStream(range);
  }

  sync(): Promise<void> {
    return this.file.sync();
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

function readPartSync(descriptor: number, range: ByteRange): Buffer {
  const bytes = roomFor(range);
  let length = 0;
  for (;;) {
    const bytesRead = readSync(descriptor, bytes, length, bytes.length - length, range.start + length);
    length += bytesRead;
    if (bytesRead === 0 || length === bytes.length) return bytes.subarray(0, length);
  }
}

const flush = promisify(fsync);

const atOnce = <T>(call: () => T): Promise<T> => new Promise((resolve) => resolve(call()));

class BlockingFile implements OpenFile {
  constructor(readonly descriptor: number) {}

  stat(): Promise<BigIntStats> {
    return atOnce(() => fstatSync(this.descriptor, { bigint: true }));
  }

  async path(): Promise<string | undefined> {
    const name = nameOfOpened(this.descriptor);
    return name === undefined ? undefined : atOnce(() => readlinkSync(name)).catch(() => undefined);
  }

  read(range?: ByteRange): Promise<Buffer> {
    return atOnce(() => (range === undefined ? readFileSync(this.descriptor) : readPartSync(this.descriptor, range)));
  }

  async write(body: Readable | Uint8Array): Promise<void> {
    if (body instanceof Uint8Array) writeFileSync(this.descriptor, body);
    else for await (const chunk of body as AsyncIterable<Buffer>) writeFileSync(this.descriptor, chunk);
  }

  createReadStream(range?: ByteRange): Readable {
    return createReadStream('', { ...range, fd: this.descriptor });
  }

  /** Waits for the disk, so it runs on another thread. */
  sync(): Promise<void> {
    return flush(this.descriptor);
  }

  close(): Promise<void> {
    return atOnce(() => closeSync(this.descriptor));
  }
}

/** For processes that also serve requests. */
export const AWAITED_CALLS: FileCalls = {
  open: async (path, flags) => new HandledFile(await open(path, flags)),
  stat: (path) => stat(path, { bigint: true }),
  realpath: (path) => realpath(path),
  link: (from, to) => link(from, to),
  rename: (from, to) => rename(from, to),
};

/** For processes whose thread has little other work: handing such a call to another thread costs far more than the call. */
export const BLOCKING_CALLS: FileCalls = {
  open: (path, flags) => atOnce(() => new BlockingFile(openSync(path, flags))),
  stat: (path) => atOnce(() => statSync(path, { bigint: true })),
  realpath: (path) => atOnce(() => realpathSync.native(path)),
  link: (from, to) => atOnce(() => linkSync(from, to)),
  rename: (from, to) => atOnce(() => renameSync(from, to)),
};

/** Changes whenever the file is replaced or modified. */
export const fileEtag = (stats: Pick<BigIntStats, 'mtimeNs' | 'size'>): string =>
  `${stats.mtimeNs.toString(16)}-${stats.size.toString(16)}`;
