import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { tarOf } from '../../../../test/support/archive-bytes';
import { folderStore } from '../../../../test/support/folder-store';
import { foreignFilesOf } from '../../../../test/support/foreign-files-of';
import { Logger } from '@nestjs/common';
import { ageKeys, storedKeys } from '../../../../test/support/stored-keys';
import { waitUntil } from '../../../../test/support/wait-until';
import { ReaderEndedError, type ForeignFiles } from '../../../common/engine/compute/readers/foreign-files';
import { ServiceBusyError } from '../../../common/platform/errors/domain-error';
import { ArchiveFiles } from './archive-files';
import type { ReceivedUpload } from './content-blobs';

const MEGABYTE = 1024 * 1024;
const LIMITS = { maxBytes: 16 * MEGABYTE, maxMembers: 1000 };

/** Large enough to be stored through a staged copy. */
const MEMBERS = ['first', 'second'].map((name) => ({
  name: `${name}.jpg`,
  bytes: Buffer.alloc(6 * MEGABYTE, name),
}));

describe('unpacking an archive in a child process', () => {
  let folder: string;
  let foreignFiles: ForeignFiles;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-files-'));
    foreignFiles = foreignFilesOf(folder, { memoryBytes: 512 * MEGABYTE, seconds: 30 });
  });

  afterEach(async () => {
    foreignFiles.stop();
    await rm(folder, { recursive: true });
  });

  async function receive(source: Readable, files = foreignFiles): Promise<ReceivedUpload[]> {
    const received: ReceivedUpload[] = [];
    const archives = new ArchiveFiles(files, folderStore(folder));
    await archives.receive({
      source,
      limits: LIMITS,
      userId: 'a',
      onReceived: (uploads) => void received.push(...uploads),
    });
    return received;
  }

  const stored = (...below: string[]): Promise<string[]> => storedKeys(join(folder, 'store'), ...below);

  /** An archive whose first member is staged while the second is being written. */
  async function arriving(): Promise<PassThrough> {
    await receive(Readable.from([tarOf(MEMBERS.slice(0, 1))]));
    // The staged copy is kept, because a sweep may delete an old blob.
    await ageKeys(join(folder, 'store'), 'blobs');
    const source = new PassThrough();
    source.write(tarOf(MEMBERS).subarray(0, 11 * MEGABYTE));
    return source;
  }

  const untilHalfWritten = (): Promise<void> =>
    waitUntil(async () => (await stored('staging')).length === 1 && (await stored('.unfinished')).length === 1);

  it('reports staged copies at their keys', async () => {
    const source = await arriving();
    source.end(tarOf(MEMBERS).subarray(11 * MEGABYTE));
    const received = await receive(source);
    expect(received.map(({ path, sizeBytes }) => ({ path, sizeBytes }))).toEqual(
      MEMBERS.map(({ name, bytes }) => ({ path: name, sizeBytes: bytes.length })),
    );
    expect(await stored('staging', '.unfinished')).toEqual(received.flatMap(({ stagingKey }) => stagingKey ?? []));
    expect(await stored('blobs')).toEqual(received.map(({ storeKey }) => storeKey).sort());
  });

  it('reports many files in several messages', async () => {
    const names = Array.from({ length: 250 }, (_, at) => `${at}.jpg`);
    const archive = tarOf(names.map((name) => ({ name, bytes: Buffer.from(name) })));
    const received = await receive(Readable.from([archive]));
    expect(received.map(({ path }) => path).sort()).toEqual([...names].sort());
    expect(await stored('blobs')).toEqual(received.map(({ storeKey }) => storeKey).sort());
  });

  it('logs a killed child, allows a retry, and leaves no staged copies', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const receiving = receive(await arriving()).catch((error: unknown) => error);
    await untilHalfWritten();
    // The key being written starts with the prefix of the archive.
    const [writing] = await stored('.unfinished');
    process.kill(Number(writing!.split('~')[1]), 'SIGKILL');
    const error = await receiving;
    expect(logged).toHaveBeenCalledWith({ err: expect.any(ReaderEndedError) as Error }, 'An archive was not unpacked');
    logged.mockRestore();
    expect(error).toBeInstanceOf(ServiceBusyError);
    expect(error).toMatchObject({
      detail: 'The process that unpacked the archive ended before it was done. Send the archive again.',
    });
    expect(await stored('staging', '.unfinished')).toEqual([]);
  });

  it('ends the child when the client disconnects, and leaves no staged copies', async () => {
    const source = await arriving();
    const receiving = receive(source).catch((error: unknown) => error);
    await untilHalfWritten();
    source.destroy();
    expect(await receiving).toEqual(new Error('The upload was interrupted'));
    expect(await stored('staging', '.unfinished')).toEqual([]);
  });

  it('refuses an archive that exceeds the limits of the child, and reads others', async () => {
    const archive = tarOf([{ name: 'small.jpg', bytes: Buffer.from('x') }]);
    const small = foreignFilesOf(folder, { memoryBytes: 32 * MEGABYTE, seconds: 30 });
    const source = new PassThrough();
    source.write(archive);
    await expect(receive(source, small)).rejects.toMatchObject({
      status: 400,
      detail: "The archive can't be taken in: it needs more than 32 MB of memory to be read",
    });
    expect(await receive(Readable.from([archive]))).toHaveLength(1);
  });

  it('returns the messages of errors unchanged', async () => {
    const large = tarOf([{ name: 'large.jpg', bytes: Buffer.alloc(LIMITS.maxBytes + 1) }]);
    await expect(receive(Readable.from([large]))).rejects.toMatchObject({ status: 413 });
    const climbing = tarOf([...MEMBERS, { name: '../x.jpg' }]);
    await expect(receive(Readable.from([climbing]))).rejects.toMatchObject({
      status: 400,
      detail: expect.stringContaining(`The archive can't be taken in: its member "../x.jpg" `) as string,
    });
    expect(await stored('staging', '.unfinished')).toEqual([]);
  });
});
