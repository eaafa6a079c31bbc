import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaTable } from '../../../src/common/engine/media-table/media-table';
import { MediaTableStore } from '../../../src/common/engine/media-table/media-table-store';
import type { MediaRow } from '../../../src/common/engine/media-table/media-row';
import { FOUND_ROWS } from '../../../src/common/engine/media-table/nearest-index';
import { OrdinalSet } from '../../../src/common/engine/media-table/ordinal-set';
import { EXACT_CANDIDATES, nearestScan } from '../../../src/common/engine/vectors/nearest-scan';
import { tableVectors } from '../../../src/common/engine/vectors/vector-source';
import { VectorMatrix } from '../../../src/common/engine/vectors/vector-matrix';
import { knownGroups } from '../../support/known-groups';
import { inBatches, mediaRow } from '../../support/media-rows';

const ROWS = 24_000;
const DIMENSION = 16;
const DIMENSIONS = { embedding: DIMENSION, captionEmbedding: 4 };
const CAPTIONED = 40;

const known = knownGroups({ count: ROWS + 10, dimension: DIMENSION, groups: 300, seed: 2 });
const vectorOf = (row: number): Float32Array => known.vectors.slice(row * DIMENSION, (row + 1) * DIMENSION);
const rows = (from: number, to: number): MediaRow[] =>
  Array.from({ length: to - from }, (_, at) =>
    mediaRow(from + at, {
      embedding: vectorOf(from + at),
      captionEmbedding: from + at < CAPTIONED ? Float32Array.of(1, 0, 0, 0) : null,
    }),
  );

const folder = mkdtempSync(join(tmpdir(), 'nearest-index-'));
const storeWith = (searchedInMemoryBytes: number): MediaTableStore =>
  new MediaTableStore({ uri: folder, storageOptions: {} }, { searchedInMemoryBytes });
const store = storeWith(2 ** 20);
let table: MediaTable;

beforeAll(async () => {
  table = await store.open(await store.create(randomUUID(), DIMENSIONS, inBatches(rows(0, ROWS), 4_000)));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const QUERIES = [5, 600, 7_000, 13_131, 23_999];

/** The share of the exact nearest 50 in the result of a scan, with the distances of the scan. */
async function foundBy(at: MediaTable, query: Float32Array, candidates?: OrdinalSet) {
  const index = (await at.nearestIndex('embedding'))!;
  const { scan, isApproximate } = await nearestScan(at, 'embedding', index, query, candidates);
  const matrix = await VectorMatrix.load(tableVectors(at, 'embedding'));
  const expected = await (await matrix.scan(query)).nearest(50, candidates);
  matrix.close();
  const found = new Map((await scan.nearest(500, candidates)).map(({ ordinal, distance }) => [ordinal, distance]));
  const same = expected.filter(({ ordinal, distance }) => found.get(ordinal) === distance);
  return { share: same.length / expected.length, isApproximate, scan };
}

it('is created for columns above the memory limit, and reports its recall', async () => {
  const { probes, recall } = (await table.nearestIndex('embedding'))!;
  expect(probes).toBeGreaterThanOrEqual(16);
  expect(recall).toBeGreaterThan(0.9);
  expect(recall).toBeLessThanOrEqual(1);
  // Too few rows for cells.
  expect(await table.nearestIndex('caption_embedding')).toBeUndefined();
  const small = storeWith(2 ** 30);
  const other = await small.open(await small.create(randomUUID(), DIMENSIONS, [rows(0, 2_000)]));
  expect(await other.nearestIndex('embedding')).toBeUndefined();
});

it('finds the nearest rows with exact distances', async () => {
  for (const row of QUERIES) {
    const { share, isApproximate, scan } = await foundBy(table, vectorOf(row));
    expect(share).toBeGreaterThan(0.9);
    expect(isApproximate).toBe(true);
    expect(scan.distances.filter((distance) => distance < Infinity)).toHaveLength(FOUND_ROWS);
    const cut = { distance: 0.2, inclusive: true };
    for (const ordinal of (await scan.within(cut)).toArray()) expect(scan.distances[ordinal]!).toBeLessThanOrEqual(0.2);
  }
});

it('reuses the buffer of a released scan', async () => {
  const index = (await table.nearestIndex('embedding'))!;
  const scanOf = async (row: number) => (await nearestScan(table, 'embedding', index, vectorOf(row))).scan;
  const first = await scanOf(5);
  const expected = first.distances.slice();
  const far = expected.findIndex((distance) => distance === Infinity);
  first.place(far, 0);
  expect(first.rows).toEqual(Int32Array.from(first.rows!).sort());
  expect(first.distances[far]).toBe(0);
  first.release();
  first.release();
  expect(() => first.place(far, 0)).toThrow('The scan was released');
  const [second, third] = [await scanOf(5), await scanOf(600)];
  expect(second.distances).toBe(first.distances);
  expect(second.distances).toEqual(expected);
  expect(third.distances).not.toBe(first.distances);
  expect(third.rows).toHaveLength(FOUND_ROWS);
});

it('finds all of a few candidates, and the nearest of many', async () => {
  const few = OrdinalSet.of(
    ROWS,
    Array.from({ length: 700 }, (_, at) => at * 34),
  );
  const many = OrdinalSet.all(ROWS);
  for (let row = 0; row < ROWS; row += 7) many.delete(row);
  expect(many.size).toBeGreaterThan(EXACT_CANDIDATES);
  for (const row of QUERIES) {
    expect(await foundBy(table, vectorOf(row), few)).toMatchObject({ share: 1, isApproximate: false });
    const { share, isApproximate, scan } = await foundBy(table, vectorOf(row), many);
    expect([share > 0.9, isApproximate]).toEqual([true, true]);
    expect(scan.distances.filter((distance, at) => distance < Infinity && !many.has(at))).toEqual(new Float32Array());
  }
});

it.each([
  ['of any length', (row: number) => Float32Array.from({ length: 11 }, (_, at) => Math.sin((row + 1) * (at + 2)))],
  ['that are all the same', () => new Float32Array(8).fill(0.5)],
  ['of which half are zero', (row: number) => vectorOf(row).fill(0, row % 2 === 0 ? 0 : DIMENSION)],
])('is built from vectors %s', async (_, made) => {
  const some = Array.from({ length: 3_000 }, (_, row) => mediaRow(row, { embedding: made(row) }));
  const dimensions = { embedding: made(0).length, captionEmbedding: 4 };
  const small = storeWith(2 ** 10);
  const at = await small.open(await small.create(randomUUID(), dimensions, [some]));
  const index = (await at.nearestIndex('embedding'))!;
  expect(index.recall).toBeGreaterThan(0);
  const { scan } = await nearestScan(at, 'embedding', index, made(1));
  expect((await scan.nearest(1))[0]!.distance).toBeCloseTo(0, 6);
});

it('is not created for zero vectors', async () => {
  const some = Array.from({ length: 1_500 }, (_, row) => mediaRow(row, { embedding: new Float32Array(8) }));
  const small = storeWith(2 ** 10);
  const at = await small.open(await small.create(randomUUID(), { embedding: 8, captionEmbedding: 4 }, [some]));
  expect(await at.nearestIndex('embedding')).toBeUndefined();
});

it('includes rows appended later, and works in a copy', async () => {
  const later = await store.open(await store.append(table.at, [rows(ROWS, ROWS + 10)]));
  expect(await later.nearestIndex('embedding')).toEqual(await table.nearestIndex('embedding'));
  const added = vectorOf(ROWS + 3);
  expect((await foundBy(later, added)).share).toBeGreaterThan(0.9);
  const { scan } = await nearestScan(later, 'embedding', (await later.nearestIndex('embedding'))!, added);
  expect((await scan.nearest(1))[0]!.distance).toBe(0);
  expect(scan.distances[ROWS + 3]).toBe(0);
  const copy = await store.open(await store.fork(later.at, randomUUID()));
  expect((await foundBy(copy, added)).share).toBeGreaterThan(0.9);
});
