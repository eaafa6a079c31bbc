import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration } from './configuration';
import { bytesFor, EXPLORE_SHARES, memoryOfMachine } from './memory-sizes';
import { GIB } from './variable-types';

describe('the sizes derived from MEMORY_BYTES', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dms-memory-'));
  const sizesWith = (variables: Readonly<Record<string, string>>): number[] => {
    const read = readConfiguration({ DATA_DIR: folder, ...variables });
    const sizes = [
      read.exploreCacheBytes,
      read.annotationCacheBytes,
      read.vectorCacheBytes,
      read.indexCacheBytes,
      read.indexingMemoryBytes,
    ];
    return sizes.map((bytes) => bytes / GIB);
  };

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    [4, [2 / 3, 1 / 3, 4 / 3, 1 / 2, 2]],
    [6, [1, 1 / 2, 2, 1 / 2, 3]],
    [24, [1, 1, 2, 2, 12]],
    [96, [4, 4, 8, 8, 48]],
  ])('for %s GiB', (memory, sizes) => {
    sizesWith({ MEMORY_BYTES: String(memory * GIB) }).forEach((size, at) => expect(size).toBeCloseTo(sizes[at]!, 6));
  });

  it('default to the memory of the machine or container, and can be set one by one', () => {
    expect(sizesWith({})).toEqual(sizesWith({ MEMORY_BYTES: String(memoryOfMachine()) }));
    expect(sizesWith({ MEMORY_BYTES: String(6 * GIB), VECTOR_CACHE_BYTES: String(5 * GIB) })).toEqual([
      1, 0.5, 5, 0.5, 3,
    ]);
  });
});

describe('the shares of EXPLORE_CACHE_BYTES', () => {
  it('add up to at most 1', () => {
    const shares = Object.values(EXPLORE_SHARES);
    expect(Math.min(...shares)).toBeGreaterThan(0);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1);
    expect(bytesFor('indexes', { exploreCacheBytes: 1000 })).toBe(250);
  });

  it('are the only source of memory budgets for searches', async () => {
    const modules = join(__dirname, '..', '..', '..', 'modules');
    const files = (await readdir(modules, { recursive: true })).filter((path) => /(?<!\.spec)\.ts$/.test(path));
    expect(files.length).toBeGreaterThan(0);
    const texts = await Promise.all(files.map((path) => readFile(join(modules, path), 'utf8')));
    expect(files.filter((_, at) => texts[at]!.includes('exploreCacheBytes'))).toEqual([]);
  });
});
