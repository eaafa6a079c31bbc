import { MemoryVectors } from '../../../../test/support/memory-vectors';
import { bytesOfRows } from './quantised-rows';
import { ScanThreads } from './scan-threads';
import { VectorCache } from './vector-cache';
import type { CosineScan, VectorMatrix } from './vector-matrix';

const ROWS = 50;
const DIMENSION = 8;
const BYTES = bytesOfRows(ROWS, DIMENSION);
const rowsOf = (matrix: VectorMatrix): Promise<number> => Promise.resolve(matrix.rows);
const someVectors = (seed: number): MemoryVectors => MemoryVectors.random(ROWS, DIMENSION, seed);

function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

it('loads once for concurrent callers, and keeps the matrix', async () => {
  const cache = new VectorCache(BYTES);
  const source = someVectors(1);
  const answers = await Promise.all([1, 2, 3].map(() => cache.useSource('a', source, rowsOf)));
  expect(answers).toEqual([ROWS, ROWS, ROWS]);
  await cache.useSource('a', source, rowsOf);
  expect(source.batchesRead).toBe(1);
  expect(cache.bytes).toBe(BYTES);
});

it('evicts the least recently used, and never exceeds its limit', async () => {
  const cache = new VectorCache(BYTES * 2);
  await cache.useSource('a', someVectors(1), rowsOf);
  await cache.useSource('b', someVectors(2), rowsOf);
  await cache.useSource('a', someVectors(1), rowsOf);
  await cache.useSource('c', someVectors(3), rowsOf);
  expect(['a', 'b', 'c'].map((key) => cache.has(key))).toEqual([true, false, true]);
  expect(cache.bytes).toBe(BYTES * 2);
});

it('keeps what is in use, and evicts afterwards', async () => {
  const cache = new VectorCache(BYTES);
  const { opened, open } = gate();
  const using = cache.useSource('a', someVectors(1), async (matrix) => {
    await opened;
    return (await matrix.scan(new Float32Array(DIMENSION).fill(1))).nearest(1);
  });
  await cache.useSource('b', someVectors(2), rowsOf);
  expect([cache.has('a'), cache.has('b')]).toEqual([true, false]);
  open();
  expect(await using).toHaveLength(1);
  expect(cache.bytes).toBe(BYTES);
});

it('serves a matrix larger than its limit, and drops it after use', async () => {
  const cache = new VectorCache(BYTES - 1);
  const scan = await cache.useSource('a', someVectors(1), (matrix) => matrix.scan(new Float32Array(DIMENSION).fill(1)));
  expect([cache.has('a'), cache.bytes]).toEqual([false, 0]);
  expect(await scan.nearest(4)).toHaveLength(4);
});

it('forgets a failed load', async () => {
  const cache = new VectorCache(BYTES);
  const source = someVectors(1);
  source.onBatch = () => {
    throw new Error('the disk is away');
  };
  await expect(cache.useSource('a', source, rowsOf)).rejects.toThrow('the disk is away');
  expect([cache.has('a'), cache.bytes]).toEqual([false, 0]);
  source.onBatch = () => undefined;
  expect(await cache.useSource('a', source, rowsOf)).toBe(ROWS);
});

it('reloads a matrix that was lost with a thread', async () => {
  const threads = 3;
  const cache = new VectorCache(BYTES, threads);
  const source = someVectors(1);
  const query = new Float32Array(DIMENSION).fill(1);
  const scan = (): Promise<CosineScan> => cache.useSource('a', source, (matrix) => matrix.scan(query));
  const before = await scan();
  const scanning = scan();
  ScanThreads.get(threads).end();
  await expect(scanning).rejects.toThrow('A thread that scans vectors ended');
  expect(cache.has('a')).toBe(false);
  expect((await scan()).distances).toEqual(before.distances);
  expect(source.batchesRead).toBe(2);
});

it('aborts its loads when the program ends', async () => {
  const cache = new VectorCache(BYTES);
  const source = someVectors(1);
  source.onBatch = () => cache.onModuleDestroy();
  await expect(cache.useSource('a', source, rowsOf)).rejects.toThrow('aborted');
});
