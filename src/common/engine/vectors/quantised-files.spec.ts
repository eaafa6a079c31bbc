import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStore } from '../../../../test/support/folder-store';
import { MemoryVectors } from '../../../../test/support/memory-vectors';
import type { ObjectStore } from '../../platform/storage/object-store';
import { dropQuantised, QuantisedFiles } from './quantised-files';
import { VectorMatrix } from './vector-matrix';

const GENERATION = '0b7e7a4e-7a55-4d5c-b5a1-2f3f4c1f9a10';
const ROWS = 2_300;
const BLOCK_ROWS = 1024;
const options = { blockRows: BLOCK_ROWS, threads: 2 };
const folder = mkdtempSync(join(tmpdir(), 'quantised-files-'));
const local = folderStore(folder);
/** Simulates a store accessed over a network. */
const remote = new Proxy(local, {
  get: (store, name: keyof ObjectStore) =>
    name === 'localPath' ? () => undefined : (store[name] as (...args: unknown[]) => unknown).bind(store),
});
const warnings: string[] = [];
let files: QuantisedFiles;
const query = MemoryVectors.random(1, 12, 5).row(0);

const written = join(folder, 'store', 'quantised', GENERATION, 'embedding', String(BLOCK_ROWS));
const names = (): string[] => readdirSync(written).sort();
const pathOf = (block: number): string => join(written, names()[block]!);

function vectors(store: ObjectStore, seed = 1, rows = ROWS): MemoryVectors {
  const source = MemoryVectors.random(rows, 12, seed).ofSeries('embedding');
  const table = {
    at: { generation: GENERATION, version: 1 },
    nameOfRows: (count: number) => source.series!.nameOfRows(count),
  };
  files = new QuantisedFiles(store, (problem) => warnings.push(problem));
  source.files = files.of(table, 'embedding');
  return source;
}

/** Returns the distances of all rows, and the first rows of the reads from the column. */
async function scanned(source: MemoryVectors): Promise<{ distances: number[]; read: number[] }> {
  const read: number[] = [];
  source.onBatch = (first) => read.push(first);
  const matrix = await VectorMatrix.load(source, options);
  const scan = await matrix.scan(query);
  const distances = await scan.refine(Int32Array.from({ length: matrix.rows }, (_, row) => row));
  matrix.close();
  await files.settle();
  return { distances: [...distances], read };
}

const expected = async (source: MemoryVectors): Promise<number[]> => {
  delete source.files;
  return (await scanned(source)).distances;
};

beforeEach(async () => {
  await dropQuantised(local, GENERATION);
  warnings.length = 0;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['on this machine', local],
  ['behind a network', remote],
])('in a store %s', (_, store) => {
  it('are written once, and read instead of the column', async () => {
    expect((await scanned(vectors(store))).read).toEqual([0, BLOCK_ROWS, 2 * BLOCK_ROWS]);
    expect(names()).toHaveLength(2);
    const again = await scanned(vectors(store));
    expect(again.read).toEqual([2 * BLOCK_ROWS]);
    expect(again.distances).toEqual(await expected(vectors(store)));
    expect(warnings).toEqual([]);
  });

  it.each([
    ['has another byte', (path: string) => overwrite(path, 5_000)],
    ['begins with another byte', (path: string) => overwrite(path, 1)],
    ['is too short', (path: string) => truncateSync(path, 20_000)],
    ['is empty', (path: string) => truncateSync(path, 0)],
  ])('are written again if one %s', async (_case, damage) => {
    await scanned(vectors(store));
    damage(pathOf(1));
    const found = await scanned(vectors(store));
    expect(found.read).toEqual([BLOCK_ROWS, 2 * BLOCK_ROWS]);
    expect(found.distances).toEqual(await expected(vectors(store)));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^quantised\/.*\/1-\d+\.q16 cannot be used, so its vectors are read from the table: /);
    expect((await scanned(vectors(store))).read).toEqual([2 * BLOCK_ROWS]);
  });
});

it('are not used for different rows', async () => {
  await scanned(vectors(local));
  const other = await scanned(vectors(local, 2));
  expect(other.read).toEqual([0, BLOCK_ROWS, 2 * BLOCK_ROWS]);
  expect(other.distances).toEqual(await expected(vectors(local, 2)));
  expect(names()).toHaveLength(4);
});

it('that cannot be written do not fail a search', async () => {
  const full = new Proxy(local, {
    get: (store, name: keyof ObjectStore) =>
      name === 'put'
        ? () => Promise.reject(new Error('no space left'))
        : (store[name] as (...args: unknown[]) => unknown).bind(store),
  });
  const found = await scanned(vectors(full));
  expect(found.distances).toEqual(await expected(vectors(local)));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('cannot be written, so the next start quantises vectors again: no space left');
});

function overwrite(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}
