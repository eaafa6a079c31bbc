import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { runPoolJob } from '../threads/run-pool-job';
import { ThreadPool } from '../threads/thread-pool';
import { VectorTable } from '../vectors/vector-table';
import { filedWithSums, FiledRows, type LoadedRows } from './filed-rows';
import { RowParts } from './row-parts';
import { ScratchFiles, writeFully } from './scratch-files';

const DIMENSION = 16;
const ROW_BYTES = DIMENSION * 4;
const COUNT = 3_000;
/** The value of sums; other vectors contain the number of their row. */
const SUM = 0.5;

const parent = mkdtempSync(join(tmpdir(), 'filed-rows-'));
const pool = new ThreadPool(0, new Int32Array(1), runPoolJob);
/** For all rows but one. */
const ROOM = COUNT - 1;
const table = VectorTable.allocate(COUNT, DIMENSION);
afterAll(() => {
  rmSync(parent, { recursive: true, force: true });
});

const bytesOf = (row: number): Uint8Array => new Uint8Array(new Float32Array(DIMENSION).fill(row).buffer);

/** Written in parts by the remainder of the row number, so that the rows of a part are not contiguous. */
function writtenIn(parts: number, room = ROOM): FiledRows {
  const scratch = new ScratchFiles(mkdtempSync(join(parent, 'run-')));
  const vectors = scratch.create('vectors');
  const written = new RowParts(vectors, { count: COUNT, rowBytes: ROW_BYTES, partRows: Math.ceil(COUNT / parts) });
  for (let row = 0; row < COUNT; row++) written.add(row % written.parts, row, bytesOf(row));
  written.finish();
  const former = new FiledRows({ count: COUNT, vectors }, { table, room, pool });
  return filedWithSums(scratch, 'vectors', { vectors, position: written.position }, former);
}

function expectRows({ table, place, count }: LoadedRows, rows: readonly number[], sums: ReadonlySet<number>): void {
  expect(count).toBe(rows.length);
  const found = rows.map((row) => [...new Set(table.row(place[row]!))]);
  expect(found).toEqual(rows.map((row) => [sums.has(row) ? row + SUM : row]));
}

const someRows = fc
  .uniqueArray(fc.nat(COUNT - 1), { minLength: 1, maxLength: 400 })
  .map((rows) => rows.sort((a, b) => a - b));

test.each([1, 7, 60, COUNT])(
  'rows in %i parts are read from any position, changed ones from the file of sums',
  async (parts) => {
    const store = writtenIn(parts);
    await fc.assert(
      fc.asyncProperty(someRows, someRows, async (rows, changed) => {
        const fresh = writtenIn(parts);
        const loaded = await fresh.load(Int32Array.from(changed));
        expectRows(loaded, changed, new Set());
        for (const row of changed) loaded.table.row(loaded.place[row]!).fill(row + SUM);
        fresh.keep(Int32Array.from(changed));
        expectRows(await fresh.load(Int32Array.from(rows)), rows, new Set(changed));
      }),
      { numRuns: 5 },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(ROOM), fc.nat(ROOM), async (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        await store.expect({ from, to });
        const rows = Array.from({ length: to - from }, (_, at) => from + at);
        expectRows(await store.loadRange(from, to), rows, new Set());
      }),
      { numRuns: 20 },
    );
  },
);

test('if all rows have room, they stay in memory until they are restored, or others are loaded', async () => {
  const store = writtenIn(7, COUNT);
  const all = Array.from({ length: COUNT }, (_, row) => row);
  const loaded = await store.load(Int32Array.of(5));
  expectRows(loaded, all, new Set());
  loaded.table.row(9).fill(9 + SUM);
  expect(await store.loadRange(2, 4)).toBe(loaded);
  store.restore();
  expectRows(await store.load(Int32Array.of(0)), all, new Set());
  const other = filedWithSums(new ScratchFiles(mkdtempSync(join(parent, 'run-'))), 'none', { vectors: -1 }, store);
  await expect(other.loadRange(0, 1)).rejects.toThrow();
  loaded.table.row(9).fill(9 + SUM);
  expectRows(await store.load(Int32Array.of(0)), all, new Set());
});

test('rejects a file that ends too early', async () => {
  const scratch = new ScratchFiles(mkdtempSync(join(parent, 'run-')));
  const vectors = scratch.create('vectors');
  writeFully(vectors, bytesOf(0), 0);
  const store = new FiledRows({ count: 2, vectors }, { table, room: COUNT, pool });
  await expect(store.loadRange(0, 2)).rejects.toThrow('A scratch file ends at 64 instead of 128 bytes');
});
