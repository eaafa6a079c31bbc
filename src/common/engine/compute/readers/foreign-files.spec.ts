import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { foreignFilesOf } from '../../../../../test/support/foreign-files-of';
import type { HostileInput, HostileStream } from '../../../../../test/support/hostile.reader';
import { DomainError, ServiceBusyError, TooManyRequestsError } from '../../../platform/errors/domain-error';
import { outageOf } from '../../../platform/outage/outage';
import { SourceNotAllowedError } from '../../../platform/storage/sources/source-files';
import type { ForeignFiles } from './foreign-files';
import { ReadLimitError } from './reader-messages';

const MODULE = join(__dirname, '..', '..', '..', '..', '..', 'test', 'support', 'hostile.reader.ts');
const MEGABYTE = 1024 * 1024;

describe('untrusted files', () => {
  let folder: string;
  let files: ForeignFiles;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foreign-files-'));
    files = foreignFilesOf(folder, { memoryBytes: 256 * MEGABYTE, seconds: 1 });
  });

  afterAll(async () => {
    files.stop();
    await rm(folder, { recursive: true });
  });

  async function read(input: HostileInput): Promise<number[]> {
    const pieces: number[] = [];
    for await (const piece of files.read<number>({ module: MODULE, input })) pieces.push(piece);
    return pieces;
  }

  it('are returned piece by piece, in order', async () => {
    expect(await read({ does: 'count' })).toEqual([0, 1, 2, 3, 4]);
  });

  it('are no longer read when the caller stops', async () => {
    for await (const piece of files.read<number>({ module: MODULE, input: { does: 'count' } })) if (piece === 1) break;
    expect(await read({ does: 'count' })).toHaveLength(5);
  });

  it.each(['swell', 'swell outside the heap'] as const)('that %s end their own process only', async (does) => {
    const reading = read({ does });
    await expect(reading).rejects.toThrow(ReadLimitError);
    await expect(reading).rejects.toThrow('needs more than 256 MB of memory to be read');
  });

  it('with an entry above the memory limit of the parent are rejected', async () => {
    await expect(read({ does: 'speak at length' })).rejects.toThrow(
      new ReadLimitError('has an entry of more than 32 MB'),
    );
  });

  it('that never end are rejected', async () => {
    await expect(read({ does: 'spin' })).rejects.toThrow(
      new ReadLimitError('needs more than 1 s of processor time to be read'),
    );
  });

  it('are not blamed if the process exits unexpectedly', async () => {
    await expect(read({ does: 'die' })).rejects.toThrow('The process that read a file ended early (7).');
  });

  it('wait during an outage of the store', async () => {
    const error: unknown = await read({ does: 'lose the store' }).catch((failure: unknown) => failure);
    expect(outageOf(error)?.awaited).toBe('the object store');
  });

  it('are read only from allowed places', async () => {
    await writeFile(join(folder, 'a.txt'), 'four');
    expect(await read({ does: 'open', source: join(folder, 'a.txt') })).toEqual([4]);
    await expect(read({ does: 'open', source: '/etc/hostname' })).rejects.toThrow(SourceNotAllowedError);
  });

  describe('that arrive as a stream', () => {
    async function readStream(does: HostileStream['does'], stream: Readable): Promise<number> {
      let total = 0;
      for await (const bytes of files.readStream<number>({ module: MODULE, input: { does } }, stream, 'a'))
        total += bytes;
      return total;
    }

    const chunks = (count: number): Readable =>
      Readable.from(Array.from({ length: count }, () => Buffer.alloc(64 * 1024)));

    it('are passed on completely', async () => {
      expect(await readStream('count', chunks(200))).toBe(200 * 64 * 1024);
    });

    it('can be unpacked into the store', async () => {
      expect(await readStream('store', Readable.from([Buffer.from('four')]))).toBe(4);
      expect(await readFile(join(folder, 'store', 'kept'), 'utf8')).toBe('four');
    });

    it('end only their own process if they exceed memory or time', async () => {
      await expect(readStream('swell', chunks(2))).rejects.toThrow(
        new ReadLimitError('needs more than 256 MB of memory to be read'),
      );
      await expect(readStream('spin', chunks(2))).rejects.toThrow(
        new ReadLimitError('needs more than 1 s of processor time to be read'),
      );
      expect(await readStream('count', chunks(1))).toBe(64 * 1024);
    });

    it('have no time limit in total', async () => {
      expect(await readStream('work', chunks(4))).toBe(4 * 64 * 1024);
    });

    it('are refused with the status of the reader before the rest arrives', async () => {
      const refused: unknown = await readStream('refuse', chunks(200)).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(DomainError);
      expect(refused).toMatchObject({ status: 400, detail: 'It holds nothing but noise.' });
    });

    it('fail with the error that interrupted them', async () => {
      const stream = new PassThrough();
      const reading = readStream('count', stream);
      stream.write('a');
      stream.destroy(new Error('The client went away'));
      await expect(reading).rejects.toThrow('The client went away');
      await expect(readStream('count', stream)).rejects.toThrow('The client went away');
    });

    it('are limited per user', async () => {
      const own = foreignFilesOf(folder, { memoryBytes: 256 * MEGABYTE, seconds: 1 });
      const next = (userId: string): Promise<unknown> =>
        own.readStream({ module: MODULE, input: { does: 'count' } }, Readable.from([Buffer.alloc(8)]), userId).next();
      const held = ['a', 'a', 'a', 'a'].map(next);
      await expect(next('a')).rejects.toThrow(TooManyRequestsError);
      expect(await next('b')).toMatchObject({ done: false });
      await Promise.all(held);
      own.stop();
    });

    it('are limited in total', async () => {
      const own = foreignFilesOf(folder, { memoryBytes: 256 * MEGABYTE, seconds: 1 }, 2);
      const next = (userId: string): Promise<unknown> =>
        own.readStream({ module: MODULE, input: { does: 'count' } }, new PassThrough(), userId).next();
      const others = Promise.allSettled([next('a'), next('b')]);
      await expect(next('c')).rejects.toThrow(ServiceBusyError);
      own.stop();
      const reason = new Error('The service is being stopped.');
      expect(await others).toEqual([
        { status: 'rejected', reason },
        { status: 'rejected', reason },
      ]);
    });
  });
});
