import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIMENSION, DIMENSIONS, idOf, mediaRow, unitVector } from '../../../../test/support/media-rows';
import type { MediaRow } from '../media-table/media-row';
import type { MediaTable } from '../media-table/media-table';
import { MediaTableStore } from '../media-table/media-table-store';
import { cosineDistance } from './exact-distances';
import { tableVectors } from './vector-source';
import { VectorCache } from './vector-cache';

const ROWS = 60;
const folder = mkdtempSync(join(tmpdir(), 'table-vectors-'));
let table: MediaTable;
let store: MediaTableStore;

const pictureOf = (row: number): Float32Array | null => (row % 5 === 1 ? null : unitVector(row));
const captionOf = (row: number): Float32Array | null => (row % 2 === 0 ? null : unitVector(row, 4));
const multimodalOf = (row: number): Float32Array | null => (row % 7 === 0 ? null : unitVector(row, 5));

beforeAll(async () => {
  const rows = Array.from({ length: ROWS }, (_, row) =>
    mediaRow(row, {
      embedding: pictureOf(row),
      captionEmbedding: captionOf(row),
      multimodalEmbedding: multimodalOf(row),
    }),
  );
  store = new MediaTableStore({ uri: folder, storageOptions: {} });
  const batches = (async function* () {
    yield await Promise.resolve(rows);
  })();
  table = await store.open(await store.create(idOf('vectors'), { ...DIMENSIONS, multimodalEmbedding: 5 }, batches));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('reads the vectors of a column, with zeros for missing ones', async () => {
  const source = tableVectors(table, 'caption_embedding');
  expect([source.rows, source.dimension]).toEqual([ROWS, 4]);
  for await (const { first, count, vectors } of source.batches()) {
    for (let at = 0; at < count; at++) {
      const expected = captionOf(first + at) ?? new Float32Array(4);
      expect([...vectors.subarray(at * 4, at * 4 + 4)]).toEqual([...expected]);
    }
  }
});

it('reads from a row on', async () => {
  const read: [number, number][] = [];
  for await (const { first, count, vectors } of tableVectors(table, 'embedding').batches(undefined, ROWS - 2)) {
    read.push([first, count]);
    expect([...vectors.subarray(0, DIMENSION)]).toEqual([...pictureOf(first)!]);
  }
  expect(read).toEqual([[ROWS - 2, 2]]);
});

it('shares no rows between diverging versions of a table, as after restoring a snapshot', async () => {
  const added = (number: number): MediaRow[][] => [[mediaRow(number, { embedding: unitVector(number) })]];
  const base = await store.create(idOf('continued'), DIMENSIONS, [[mediaRow(0, { embedding: unitVector(0) })]]);
  const [first, second] = [await store.append(base, added(101)), await store.append(base, added(102))];
  const cache = new VectorCache(2 ** 20);
  for (const [at, number] of [
    [first, 101],
    [second, 102],
  ] as const) {
    const scan = await cache.use(await store.open(at), 'embedding', (matrix) => matrix.scan(unitVector(number)));
    expect([...(await scan.within({ distance: 0.01, inclusive: true })).toArray()]).toEqual([1]);
  }
  await cache.onModuleDestroy();
});

it('ranks an appended table by the cached matrix and the appended rows', async () => {
  const added = [ROWS, ROWS + 1].map((row) => mediaRow(row, { embedding: unitVector(row) }));
  const grown = await store.open(await store.append(table.at, [added]));
  const together = new VectorCache(2 ** 20);
  await together.use(table, 'embedding', (matrix) => Promise.resolve(matrix.rows));
  for (const row of [3, ROWS + 1]) {
    const scans = [together, new VectorCache(2 ** 20)].map((cache) =>
      cache.use(grown, 'embedding', (matrix) => matrix.scan(unitVector(row))),
    );
    const [shared, alone] = await Promise.all(scans.map(async (scan) => (await scan).nearest(ROWS + 2)));
    expect(shared).toEqual(alone);
    expect(shared![0]!.ordinal).toBe(row);
  }
});

it('reads vectors in the order requested, also repeatedly', async () => {
  const taken = await tableVectors(table, 'embedding').take(Int32Array.of(7, 3, 7, 1));
  const expected = [unitVector(7), unitVector(3), unitVector(7), new Float32Array(DIMENSION)];
  expect([...taken]).toEqual(expected.flatMap((vector) => [...vector]));
});

it.each([
  ['embedding', pictureOf],
  ['caption_embedding', captionOf],
  ['multimodal_embedding', multimodalOf],
] as const)('ranks by %s like 64-bit arithmetic', async (column, vectorOf) => {
  const cache = new VectorCache(2 ** 20);
  const query = vectorOf(3)!;
  const expected = Array.from({ length: ROWS }, (_, ordinal) => ({ ordinal, vector: vectorOf(ordinal) }))
    .flatMap(({ ordinal, vector }) =>
      vector === null ? [] : [{ ordinal, distance: cosineDistance(query, vector, 0) }],
    )
    .sort((a, b) => a.distance - b.distance || a.ordinal - b.ordinal);
  const scan = await cache.use(table, column, (matrix) => matrix.scan(query));
  expect(await scan.nearest(ROWS)).toEqual(expected);
  const cut = expected[5]!.distance;
  const within = await scan.within({ distance: cut, inclusive: false });
  expect([...within.toArray()].sort()).toEqual(
    expected
      .filter(({ distance }) => distance < cut)
      .map(({ ordinal }) => ordinal)
      .sort(),
  );
});
