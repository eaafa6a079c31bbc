import { join } from 'node:path';
import { ChildProgram } from '../../../../test/support/child-program';
import { MemoryVectors } from '../../../../test/support/memory-vectors';
import { bytesOfRows } from './quantised-rows';
import { ScanThreads } from './scan-threads';
import { VectorCache, type ScannableVectors } from './vector-cache';
import type { VectorSource } from './vector-source';
import type { CosineScan } from './vector-matrix';

const ROWS = 50;
const DIMENSION = 8;
const BYTES = bytesOfRows(ROWS, DIMENSION);
const rowsOf = (matrix: ScannableVectors): Promise<number> => Promise.resolve(matrix.rows);
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

it('reuses rows of another matrix in the series, and evicts that one afterwards', async () => {
  const [before, after] = [1, 1].map((seed) => someVectors(seed).ofSeries('generation/embedding')) as [
    MemoryVectors,
    MemoryVectors,
  ];
  const cache = new VectorCache(BYTES);
  await cache.useSource('v1', before, rowsOf);
  const scan = await cache.useSource('v2', after, (matrix) => matrix.scan(after.row(1)));
  expect([before.batchesRead, after.batchesRead]).toEqual([1, 0]);
  expect((await scan.nearest(1))[0]).toEqual({ ordinal: 1, distance: 0 });
  expect([cache.has('v1'), cache.has('v2'), cache.bytes]).toEqual([false, true, BYTES]);
});

it('prefetches if nothing must be evicted', async () => {
  const cache = new VectorCache(BYTES * 2);
  const [a, b, c] = [someVectors(1), someVectors(2), someVectors(3)];
  cache.prepareSource('a', a);
  cache.prepareSource('a', a);
  await cache.useSource('b', b, rowsOf);
  cache.prepareSource('c', c);
  expect(await cache.useSource('a', a, rowsOf)).toBe(ROWS);
  expect([a.batchesRead, b.batchesRead, c.batchesRead]).toEqual([1, 1, 0]);
  expect([cache.has('a'), cache.has('b'), cache.has('c')]).toEqual([true, true, false]);
});

it('never delays a search by a prefetch of another column', async () => {
  const cache = new VectorCache(BYTES * 3);
  const { opened, open } = gate();
  const slow = someVectors(1);
  const held: VectorSource = {
    rows: ROWS,
    dimension: DIMENSION,
    async *batches() {
      await opened;
      yield* slow.batches();
    },
    take: (ordinals) => slow.take(ordinals),
  };
  cache.prepareSource('slow', held);
  cache.prepareSource('queued', someVectors(2));
  expect(await cache.useSource('queued', someVectors(2), rowsOf)).toBe(ROWS);
  expect(await cache.useSource('other', someVectors(3), rowsOf)).toBe(ROWS);
  const waiting = cache.useSource('slow', held, rowsOf);
  open();
  expect(await waiting).toBe(ROWS);
});

it('reports the failure of a prefetch in the search', async () => {
  const cache = new VectorCache(BYTES);
  const source = someVectors(1);
  source.onBatch = () => {
    throw new Error('the disk is away');
  };
  cache.prepareSource('a', source);
  await expect(cache.useSource('a', source, rowsOf)).rejects.toThrow('the disk is away');
  expect([cache.has('a'), cache.bytes]).toEqual([false, 0]);
});

it('evicts matrices in use only afterwards', async () => {
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

it('reads a column for each scan if its matrix would exceed the limit', async () => {
  const cache = new VectorCache(BYTES - 1);
  const source = someVectors(1);
  cache.prepareSource('a', source);
  expect(source.batchesRead).toBe(0);
  for (const times of [1, 2]) {
    const scan = await cache.useSource('a', source, (vectors) => vectors.scan(source.row(3)), 0);
    expect(source.batchesRead).toBe(times);
    expect([cache.has('a'), cache.bytes]).toEqual([false, 0]);
    expect((await scan.nearest(4))[0]).toEqual({ ordinal: 3, distance: 0 });
  }
});

describe('a search that accepts partial results', () => {
  const LARGE_ROWS = 40_000;
  // A block has 2^25 bytes, so these vectors form two blocks.
  const LARGE_DIMENSION = 1024;
  const inBatches = (hold: (first: number) => Promise<void>): VectorSource => {
    const one = MemoryVectors.random(1, LARGE_DIMENSION, 3).row(0);
    const count = 1000;
    const vectors = new Float32Array(count * LARGE_DIMENSION);
    for (let row = 0; row < count; row++) vectors.set(one, row * LARGE_DIMENSION);
    return {
      rows: LARGE_ROWS,
      dimension: LARGE_DIMENSION,
      async *batches(_signal, from = 0) {
        for (let first = from; first < LARGE_ROWS; first += count) {
          await hold(first);
          yield { first, count, vectors };
        }
      },
      take: () => Promise.reject(new Error('Nothing is near a cut')),
    };
  };
  const query = new Float32Array(LARGE_DIMENSION).fill(1);
  const scannedRows = async (matrix: ScannableVectors): Promise<number> => {
    const { distances } = await matrix.scan(query, LARGE_ROWS);
    return distances.reduce((rows, distance) => rows + Number(distance < Infinity), 0);
  };

  it('scans the rows read so far, while other callers wait for all', async () => {
    const cache = new VectorCache(2 ** 28);
    const { opened, open } = gate();
    const source = inBatches(async (first) => {
      if (first === LARGE_ROWS - 1000) await opened;
    });
    const whole = cache.useSource('large', source, scannedRows);
    expect(await cache.useSource('large', source, scannedRows, 0)).toBe(2 ** 25 / LARGE_DIMENSION);
    open();
    expect(await whole).toBe(LARGE_ROWS);
    expect(await cache.useSource('large', source, scannedRows, 0)).toBe(LARGE_ROWS);
  });

  it('keeps a partial matrix until the rest is loaded', async () => {
    const bytes = bytesOfRows(LARGE_ROWS, LARGE_DIMENSION);
    const cache = new VectorCache(bytes);
    const { opened, open } = gate();
    const source = inBatches(async (first) => {
      if (first === LARGE_ROWS - 1000) await opened;
    });
    await cache.useSource('large', source, scannedRows, 0);
    const next = cache.useSource('small', someVectors(1), rowsOf);
    expect(cache.has('large')).toBe(true);
    open();
    expect(await next).toBe(ROWS);
    expect(await cache.useSource('large', source, scannedRows)).toBe(LARGE_ROWS);
  });

  it('waits for all rows if the matrix will not be kept', async () => {
    const cache = new VectorCache(bytesOfRows(LARGE_ROWS, LARGE_DIMENSION) - 1);
    const source = inBatches(() => Promise.resolve());
    expect(await cache.useSource('large', source, scannedRows, 0)).toBe(LARGE_ROWS);
    expect(cache.has('large')).toBe(false);
  });

  it('fails if the load fails', async () => {
    const cache = new VectorCache(2 ** 28);
    const source = inBatches(() => Promise.reject(new Error('the disk is away')));
    await expect(cache.useSource('large', source, scannedRows, 0)).rejects.toThrow('the disk is away');
    expect(cache.bytes).toBe(0);
  });
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
  await expect(scanning).rejects.toThrow('The thread scan.thread ended');
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

it('lets the process exit at any moment after it is closed', async () => {
  const program = join(__dirname, '../../../../test/support/programs/closed-vectors.program.ts');
  const started = [0, 30, 40, 45, 50, 60].map((delay) => ChildProgram.start(program, [String(delay)]));
  expect(await Promise.all(started.map(({ exited }) => exited))).toEqual(started.map(() => 0));
});

it.each([
  ['its threads end', ['end', '1', '2', '4', '6']],
  ['the process exits', ['exit', '3']],
])('aborts no process if %s during a scan', async (_, args) => {
  const program = join(__dirname, '../../../../test/support/programs/ended-threads.program.ts');
  expect(await ChildProgram.start(program, args).exited).toBe(0);
});
