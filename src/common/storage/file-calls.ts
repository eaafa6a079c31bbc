import {
  closeSync,
  createReadStream,
  fstatSync,
  fsync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
  type BigIntStats,
} from 'node:fs';
import { link, open, realpath, rename, stat, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

export interface OpenFile {
  stat(): Promise<BigIntStats>;
  write(body: Readable | Uint8Array): Promise<void>;
  /** Closes the file when it is read or given up. */
  createReadStream(range?: { start: number; end: number }): Readable;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The calls of which each file needs many, and each of which is over at once. */
export interface FileCalls {
  open(path: string, flags: string | number): Promise<OpenFile>;
  stat(path: string): Promise<BigIntStats>;
  realpath(path: string): Promise<string>;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

class HandledFile implements OpenFile {
  constructor(private readonly file: FileHandle) {}

  stat(): Promise<BigIntStats> {
    return this.file.stat({ bigint: true });
  }

  write(body: Readable | Uint8Array): Promise<void> {
    return this.file.writeFile(body);
  }

  createReadStream(range?: { start: number; end: number }): Readable {
    return this.file.createReadStream(range);
  }

  sync(): Promise<void> {
    return this.file.sync();
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

const flush = promisify(fsync);

const atOnce = <T>(call: () => T): Promise<T> => new Promise((resolve) => resolve(call()));

class BlockingFile implements OpenFile {
  constructor(private readonly descriptor: number) {}

  stat(): Promise<BigIntStats> {
    return atOnce(() => fstatSync(this.descriptor, { bigint: true }));
  }

  async write(body: Readable | Uint8Array): Promise<void> {
    if (body instanceof Uint8Array) writeFileSync(this.descriptor, body);
    else for await (const chunk of body as AsyncIterable<Buffer>) writeFileSync(this.descriptor, chunk);
  }

  createReadStream(range?: { start: number; end: number }): Readable {
    return createReadStream('', { ...range, fd: this.descriptor });
  }

  /** Waits for the disk, so another thread does it. */
  sync(): Promise<void> {
    return flush(this.descriptor);
  }

  close(): Promise<void> {
    return atOnce(() => closeSync(this.descriptor));
  }
}

/** For a process that serves requests meanwhile. */
export const AWAITED_CALLS: FileCalls = {
  open: async (path, flags) => new HandledFile(await open(path, flags)),
  stat: (path) => stat(path, { bigint: true }),
  realpath: (path) => realpath(path),
  link: (from, to) => link(from, to),
  rename: (from, to) => rename(from, to),
};

/** For a process whose thread has little else to do: handing such a call to another thread costs far more than the call. */
export const BLOCKING_CALLS: FileCalls = {
  open: (path, flags) => atOnce(() => new BlockingFile(openSync(path, flags))),
  stat: (path) => atOnce(() => statSync(path, { bigint: true })),
  realpath: (path) => atOnce(() => realpathSync.native(path)),
  link: (from, to) => atOnce(() => linkSync(from, to)),
  rename: (from, to) => atOnce(() => renameSync(from, to)),
};
