import { connect } from '@lancedb/lancedb';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { identifier, inList, literal, textLiteral } from '../../src/common/engine/media-table/literal';
import type { KeywordQuery } from '../../src/common/engine/media-table/caption-index';
import type { MediaRow } from '../../src/common/engine/media-table/media-row';
import type { MediaTable } from '../../src/common/engine/media-table/media-table';
import type { TableVersion } from '../../src/common/engine/media-table/table-version';
import { OrdinalSet } from '../../src/common/engine/media-table/ordinal-set';
import {
  HeadMovedError,
  MediaTableStore,
  NoSuchTableError,
} from '../../src/common/engine/media-table/media-table-store';
import type { LanceLocation } from '../../src/common/platform/storage/object-store';
import { describeKeywordSearch } from './keyword-search-contract';
import { DIMENSION, DIMENSIONS, inBatches, mediaRow, mediaRows } from './media-rows';

const labelledWith = (labels: readonly string[]): string =>
  `array_has_any(labels, [${labels.map(textLiteral).join(', ')}])`;

async function unindexedRows({ uri, storageOptions }: LanceLocation, at: TableVersion): Promise<number> {
  const table = await (await connect(uri, { storageOptions })).openTable(at.generation);
  await table.checkout(at.version);
  const stats = await Promise.all((await table.listIndices()).map(({ name }) => table.indexStats(name)));
  return Math.max(0, ...stats.map((each) => each?.numUnindexedRows ?? 0));
}

/** The contract of a media table, for every place of the table. */
export function describeMediaTable(where: string, location: () => LanceLocation | Promise<LanceLocation>): void {
  let place: LanceLocation;
  let store: MediaTableStore;
  /** A store with slabs of the usual size. */
  let large: MediaTableStore;
  const HARD_TEXTS = [
    "' OR 1=1 --",
    "it''s",
    '"',
    '%',
    '_',
    '\\',
    "\\'",
    'a\u0000b',
    '\u202eabc',
    '; DROP TABLE',
    '`',
    '$1',
    '{}',
    '\n',
    '',
    "x') OR ('a'='a",
  ];

  const allRows = async (at: TableVersion): Promise<MediaRow[]> => {
    const rows: MediaRow[] = [];
    for await (const batch of (await store.open(at)).readRows()) rows.push(...batch);
    return rows;
  };
  const created = async (rows: readonly MediaRow[], batch = 7): Promise<TableVersion> =>
    store.create(randomUUID(), DIMENSIONS, inBatches(rows, batch));

  beforeAll(async () => {
    // Slabs of a few rows create tables of many fragments.
    place = await location();
    store = new MediaTableStore(place, { slabBytes: 8_000 });
    large = new MediaTableStore(place);
  });

  describe(`MediaTableStore on ${where}`, () => {
    it('writes a generation and reads it back in order', async () => {
      const rows = mediaRows(100);
      const written = await store.create(randomUUID(), DIMENSIONS, inBatches(rows, 9));
      expect(written.rows).toBe(100);
      expect(written.bytes).toBeGreaterThan(100 * DIMENSION * 4);
      expect(await allRows(written)).toEqual(rows);
    });

    it('caches metadata and indexes up to a limit', async () => {
      const bounds = { indexCacheBytes: 100_000, metadataCacheBytes: 50_000 };
      const bounded = new MediaTableStore(place, bounds);
      const before = bounded.cacheBytes;
      const read = async (): Promise<void> => {
        const table = await bounded.open(await created(mediaRows(300), 50));
        await table.filterOrdinals(labelledWith(['a']));
      };
      await read();
      expect(bounded.cacheBytes).toBeGreaterThan(before);
      for (let tables = 0; tables < 10; tables += 1) await read();
      expect(bounded.cacheBytes).toBeLessThanOrEqual(bounds.indexCacheBytes + bounds.metadataCacheBytes);
    });

    it('preserves values that are empty, missing or not ASCII', async () => {
      const rows = [
        mediaRow(0, {
          kind: 'VIDEO',
          embedding: null,
          thumbnailKey: null,
          clusters: [-1, -1, -1, -1, -1],
          durationSeconds: 1.5,
        }),
        mediaRow(1, { kind: 'OBJECT', box: { x: 0.1, y: 0.2, width: 0.3, height: 0.4 }, labels: HARD_TEXTS }),
        mediaRow(2, { caption: '犬 🐕‍🦺 "x"', fileName: "a'b\n\u0000.jpg" }),
      ];
      expect(await allRows(await created(rows))).toEqual(rows);
    });

    it('writes a table without rows', async () => {
      const at = await store.create(randomUUID(), DIMENSIONS, []);
      expect(at.rows).toBe(0);
      const table = await store.open(at);
      expect(await table.countRows()).toBe(0);
      expect(await allRows(at)).toEqual([]);
      expect([...(await table.filterOrdinals("id = 'x'"))]).toEqual([]);
    });

    it('appends after the existing rows, and does not change the older version', async () => {
      const first = await created(mediaRows(30));
      const second = await store.append(first, inBatches(mediaRows(25, 30), 10));
      expect(second).toMatchObject({ generation: first.generation, rows: 55 });
      expect(second.version).toBeGreaterThan(first.version);
      expect(await allRows(second)).toEqual(mediaRows(55));
      expect(await allRows(first)).toEqual(mediaRows(30));
    });

    it('appends to a version that is not the last, and does not change the later ones', async () => {
      const first = await created(mediaRows(20));
      const second = await store.append(first, inBatches(mediaRows(20, 20), 6));
      const third = await store.append(second, [mediaRows(3, 40)]);
      const again = await store.append(first, inBatches(mediaRows(15, 100), 4));
      const onwards = await store.append(again, [mediaRows(2, 200)]);
      const expected = new Map([
        [first, mediaRows(20)],
        [second, mediaRows(40)],
        [third, mediaRows(43)],
        [again, [...mediaRows(20), ...mediaRows(15, 100)]],
        [onwards, [...mediaRows(20), ...mediaRows(15, 100), ...mediaRows(2, 200)]],
      ]);
      expect(new Set([...expected.keys()].map(({ version }) => version)).size).toBe(5);
      for (const [at, rows] of expected) {
        const table = await store.open(at);
        expect(table.rows).toBe(rows.length);
        expect(await allRows(at)).toEqual(rows);
        const some = [rows.length - 1, 0, rows.length >> 1];
        expect(await table.takeRows(some)).toEqual(some.map((i) => rows[i]));
        const ids = inList(some.map((i) => rows[i]!.id));
        expect([...(await table.filterOrdinals(`id IN ${ids}`))]).toEqual([...some].sort((a, b) => a - b));
      }
    });

    it('appends in few versions, without recreating an index for a few rows', async () => {
      const first = await created(mediaRows(20));
      const second = await large.append(first, inBatches(mediaRows(2000, 20), 500));
      expect(second.version).toBe(first.version + 1);
      expect(await unindexedRows(place, second)).toBe(2000);
    });

    it('recreates indexes for many rows, and keeps the indexes of earlier versions', async () => {
      const dog: KeywordQuery = { kind: 'word', word: 'dog' };
      const rowsOf = (count: number, first: number): MediaRow[] =>
        Array.from({ length: count }, (_, i) => mediaRow(first + i, { caption: 'a dog', labels: [`l${first + i}`] }));
      const first = await created(rowsOf(20, 0), 20);
      const second = await large.append(first, [rowsOf(300, 20)]);
      expect(second.version).toBe(first.version + 2);
      const third = await large.append(second, [rowsOf(3200, 320)]);
      expect(third.version).toBe(second.version + 4);
      expect(await unindexedRows(place, second)).toBe(300);
      expect(await unindexedRows(place, third)).toBe(0);
      const again = await large.append(first, [rowsOf(300, 5000)]);
      for (const [at, rows] of [
        [first, rowsOf(20, 0)],
        [second, rowsOf(320, 0)],
        [third, rowsOf(3520, 0)],
        [again, [...rowsOf(20, 0), ...rowsOf(300, 5000)]],
      ] as const) {
        expect(await allRows(at)).toEqual(rows);
        const table = await store.open(at);
        expect((await table.keywordHits(dog)).rows.size).toBe(rows.length);
        const last = rows.at(-1)!;
        expect([...(await table.filterOrdinals(`id = '${last.id}'`))]).toEqual([rows.length - 1]);
        expect([...(await table.filterOrdinals(labelledWith(last.labels)))]).toEqual([rows.length - 1]);
        expect(await table.nameOfRows(20)).toBe(await (await store.open(first)).nameOfRows(20));
      }
    });

    it('indexes rows appended to an empty table', async () => {
      const none = await store.create(randomUUID(), DIMENSIONS, []);
      const grown = await large.append(none, [mediaRows(3200)]);
      expect(grown.version).toBe(none.version + 3);
      expect(await unindexedRows(place, grown)).toBe(0);
    });

    it('accepts at most one of two concurrent appends', async () => {
      const first = await created(mediaRows(5));
      const outcomes = await Promise.allSettled([
        store.append(first, inBatches(mediaRows(60, 100), 7)),
        store.append(first, inBatches(mediaRows(60, 200), 7)),
      ]);
      const rowsOf = [mediaRows(60, 100), mediaRows(60, 200)];
      for (const [i, outcome] of outcomes.entries()) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(HeadMovedError);
        else expect(await allRows(outcome.value)).toEqual([...mediaRows(5), ...rowsOf[i]!]);
      }
      expect(await allRows(await store.append(first, [mediaRows(2, 300)]))).toEqual([
        ...mediaRows(5),
        ...mediaRows(2, 300),
      ]);
    });

    it('can append no rows', async () => {
      const first = await created(mediaRows(5));
      expect(await allRows(await store.append(first, []))).toEqual(mediaRows(5));
    });

    it('rejects a generation that already exists', async () => {
      const at = await created(mediaRows(2));
      await expect(store.create(at.generation, DIMENSIONS, [])).rejects.toThrow();
      expect(await allRows(at)).toEqual(mediaRows(2));
    });

    it('fails if its source of rows fails, and removes the rows written so far', async () => {
      const broken = function* (): Generator<MediaRow[]> {
        yield mediaRows(50);
        throw new Error('source gone');
      };
      const generation = randomUUID();
      await expect(store.create(generation, DIMENSIONS, broken())).rejects.toThrow('source gone');
      expect(await store.generations()).not.toContain(generation);
    });

    it('forks a version into a new generation', async () => {
      const first = await created(mediaRows(20));
      await store.append(first, [mediaRows(5, 20)]);
      const fork = await store.fork(first, randomUUID());
      expect(fork.generation).not.toBe(first.generation);
      const grown = await store.append(fork, [[mediaRow(99)]]);
      expect(await allRows(fork)).toEqual(mediaRows(20));
      expect(await allRows(grown)).toEqual([...mediaRows(20), mediaRow(99)]);
    });

    it('forks a selection of rows, from completely and partly selected batches', async () => {
      const rows = Array.from({ length: 5000 }, (_, i) =>
        mediaRow(i, { labels: i % 3 === 0 ? ['third'] : [], caption: i % 2 === 0 ? `caption ${i}` : null }),
      );
      const from = await created(rows, 1000);
      const keep = OrdinalSet.all(rows.length);
      for (const gone of [0, 7, 2500, 4999]) keep.delete(gone);
      const kept = rows.filter((_, i) => keep.has(i));
      // In one slab, so that it contains unchanged batches and filtered ones.
      const fork = await large.fork(from, randomUUID(), keep);
      expect(fork.rows).toBe(kept.length);
      expect(await allRows(fork)).toEqual(kept);
      const table = await store.open(fork);
      expect([...(await table.filterOrdinals(`id = '${rows[2501]!.id}'`))]).toEqual([2498]);
      expect(await table.countRows(labelledWith(['third']))).toBe(1666);
      expect(await allRows(from)).toHaveLength(5000);
      const none = await store.fork(from, randomUUID(), OrdinalSet.none(rows.length));
      expect(await allRows(await store.append(none, [mediaRows(2)]))).toEqual(mediaRows(2));
    });

    it('drops a generation, even if it does not exist', async () => {
      const at = await created(mediaRows(3));
      expect(await store.generations()).toContain(at.generation);
      await store.drop(at.generation);
      await store.drop(at.generation);
      expect(await store.generations()).not.toContain(at.generation);
      await expect(store.open(at)).rejects.toThrow(NoSuchTableError);
    });

    it('opens a version once for concurrent callers, and only existing versions', async () => {
      const at = await created(mediaRows(3));
      const [one, other] = await Promise.all([store.open(at), store.open(at)]);
      expect(one).toBe(other);
      await expect(store.open({ ...at, version: 99 })).rejects.toThrow(NoSuchTableError);
    });
  });

  describe(`MediaTable on ${where}`, () => {
    const rows = Array.from({ length: 200 }, (_, i) =>
      mediaRow(i, {
        labels: [`l${i % 10}`, ...(i % 50 === 0 ? ['rare'] : [])],
        caption: i % 2 === 0 ? `caption ${i}` : null,
      }),
    );
    let table: MediaTable;

    beforeAll(async () => {
      const first = await created(rows.slice(0, 120));
      table = await store.open(await store.append(first, inBatches(rows.slice(120), 13)));
    });

    it('counts', async () => {
      expect(await table.countRows()).toBe(200);
      expect(await table.countRows(labelledWith(['l3', 'rare']))).toBe(24);
    });

    it('returns rows in the requested order, and repeated rows repeatedly', async () => {
      const taken = await table.takeRows([199, 3, 3, 120, 0]);
      expect(taken).toEqual([199, 3, 3, 120, 0].map((i) => rows[i]));
      expect(await table.takeRows([5, 1], ['caption', 'width'])).toEqual(
        [5, 1].map((i) => ({ caption: rows[i]!.caption, width: 640 })),
      );
      expect(await table.takeRows([])).toEqual([]);
      await expect(table.takeRows([1, 200], ['id'])).rejects.toThrow();
    });

    it('finds a row with its ordinal and some properties, across fragments', async () => {
      const { id, caption, embedding } = rows[150]!;
      const found = await table.findRow(`id = '${id}'`, ['caption', 'embedding', 'generatedLabels']);
      expect(found).toEqual({ ordinal: 150, row: { caption, embedding, generatedLabels: rows[150]!.generatedLabels } });
      expect(await table.findRow("id = 'x'", ['caption'])).toBeUndefined();
    });

    it('returns the ordinals that match a filter, across fragments', async () => {
      expect([...(await table.filterOrdinals(labelledWith(['rare'])))]).toEqual([0, 50, 100, 150]);
      expect([
        ...(await table.filterOrdinals(`${identifier('id')} IN ${inList([rows[150]!.id, rows[7]!.id])}`)),
      ]).toEqual([7, 150]);
      expect([...(await table.filterOrdinals('caption IS NULL AND cluster_0 >= 190'))]).toEqual([
        191, 193, 195, 197, 199,
      ]);
    });

    it('streams number columns in table order', async () => {
      const clusters: number[] = [];
      const vectors: number[] = [];
      for await (const slice of table.readColumns(['cluster_4', 'embedding'])) {
        expect(slice.first).toBe(clusters.length);
        clusters.push(...(slice.columns['cluster_4'] as Int32Array));
        vectors.push(...(slice.columns['embedding'] as Float32Array));
      }
      expect(clusters).toEqual(rows.map((_, i) => i));
      expect(vectors).toEqual(rows.flatMap((row) => [...row.embedding!]));
    });
  });

  describe(`literals on ${where}`, () => {
    const texts = [...HARD_TEXTS, ...fc.sample(fc.string({ unit: 'binary', maxLength: 12 }), { seed: 7, numRuns: 60 })];
    const distinct = [...new Set(texts)];
    let table: MediaTable;

    beforeAll(async () => {
      table = await store.open(
        await created(
          distinct.map((text, i) => mediaRow(i, { labels: [text], caption: text })),
          100,
        ),
      );
    });

    it('match only themselves as a label', async () => {
      for (const [i, text] of distinct.entries()) {
        expect([...(await table.filterOrdinals(labelledWith([text])))]).toEqual([i]);
      }
    });

    it('match only themselves as a value', async () => {
      for (const [i, text] of distinct.entries()) {
        expect([...(await table.filterOrdinals(`${identifier('caption')} = ${textLiteral(text)}`))]).toEqual([i]);
      }
    });

    it('match nothing if they do not occur', async () => {
      const absent = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !distinct.includes(text));
      await fc.assert(
        fc.asyncProperty(absent, async (text) => {
          expect(await table.countRows(`${labelledWith([text])} OR caption IN ${inList([text])}`)).toBe(0);
        }),
        { numRuns: 200 },
      );
    });

    it('represent numbers and booleans exactly', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger()),
          async (value) => {
            expect(await table.countRows(`CAST(${literal(value)} AS DOUBLE) = CAST('${value}' AS DOUBLE)`)).toBe(
              distinct.length,
            );
          },
        ),
        { numRuns: 100 },
      );
      expect(await table.countRows(`${literal(true)} AND NOT ${literal(false)}`)).toBe(distinct.length);
    });
  });

  describeKeywordSearch(where, () => store);
}
