import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foreignFilesOf } from '../../../../../test/support/foreign-files-of';
import type { HostileInput } from '../../../../../test/support/hostile.reader';
import { outageOf } from '../../../platform/outage/outage';
import { SourceNotAllowedError } from '../../../platform/storage/source-files';
import { ReadLimitError, type ForeignFiles } from './foreign-files';

const MODULE = join(__dirname, '..', '..', '..', '..', '..', 'test', 'support', 'hostile.reader.ts');
const MEGABYTE = 1024 * 1024;

describe('files of strangers', () => {
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

  it('come back piece by piece, in their order', async () => {
    expect(await read({ does: 'count' })).toEqual([0, 1, 2, 3, 4]);
  });

  it('are given up when one is no longer wanted', async () => {
    for await (const piece of files.read<number>({ module: MODULE, input: { does: 'count' } })) if (piece === 1) break;
    expect(await read({ does: 'count' })).toHaveLength(5);
  });

  it.each(['swell', 'swell outside the heap'] as const)('that %s end their own process only', async (does) => {
    const reading = read({ does });
    await expect(reading).rejects.toThrow(ReadLimitError);
    await expect(reading).rejects.toThrow('needs more than 256 MB of memory to be read');
  });

  it('that never end are given up', async () => {
    await expect(read({ does: 'spin' })).rejects.toThrow(
      new ReadLimitError('needs more than 1 s of processor time to be read'),
    );
  });

  it('are not blamed for a process that ends by itself', async () => {
    await expect(read({ does: 'die' })).rejects.toThrow('The process that read a file ended early (7).');
  });

  it('wait for a store that is away', async () => {
    const error: unknown = await read({ does: 'lose the store' }).catch((failure: unknown) => failure);
    expect(outageOf(error)?.awaited).toBe('the object store');
  });

  it('are read only where this service may', async () => {
    await writeFile(join(folder, 'a.txt'), 'four');
    expect(await read({ does: 'open', source: join(folder, 'a.txt') })).toEqual([4]);
    await expect(read({ does: 'open', source: '/etc/hostname' })).rejects.toThrow(SourceNotAllowedError);
  });
});
