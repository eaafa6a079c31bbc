import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIMENSIONS, idOf, mediaRow, unitVector } from '../../../../test/support/media-rows';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import { cosineDistance } from '../../../common/engine/vectors/exact-distances';
import { VectorCache } from '../../../common/engine/vectors/vector-cache';
import { SimilarityScale } from './domain/similarity-scale';
import { TextScan } from './text-scan';

const ROWS = 300;
const folder = mkdtempSync(join(tmpdir(), 'text-scan-'));
const vectors = new VectorCache(2 ** 20);
let table: MediaTable;

/** Some rows have both, some one of them, and some none. */
const captionOf = (row: number): Float32Array | null => (row % 3 === 0 ? null : unitVector(row % 200, 4));
const pictureOf = (row: number): Float32Array | null => (row % 4 === 0 ? null : unitVector(row % 200, 6));

beforeAll(async () => {
  const rows = Array.from({ length: ROWS }, (_, row) =>
    mediaRow(row, { captionEmbedding: captionOf(row), multimodalEmbedding: pictureOf(row) }),
  );
  const store = new MediaTableStore({ uri: folder, storageOptions: {} });
  table = await store.open(await store.create(idOf('text-scan'), { ...DIMENSIONS, multimodalEmbedding: 6 }, [rows]));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const scale = new SimilarityScale({ unrelated: 0.1, matching: 0.4 });

interface Asked {
  readonly words: Float32Array;
  readonly sight: Float32Array;
}

const asked: fc.Arbitrary<Asked> = fc.nat(1000).map((seed) => ({
  words: unitVector(seed, 4),
  sight: unitVector(seed + 1, 6),
}));

async function scanned({ words, sight }: Asked, which: 'both' | 'pictures' = 'both'): Promise<TextScan> {
  const captions = await vectors.use(table, 'caption_embedding', (matrix) => matrix.scan(words));
  const pictures = await vectors.use(table, 'multimodal_embedding', (matrix) => matrix.scan(sight));
  const ofPictures = { scan: pictures, scale };
  return new TextScan(which === 'both' ? [{ scan: captions, scale: SimilarityScale.PLAIN }, ofPictures] : [ofPictures]);
}

/** By row, in 64 bits. */
function distances({ words, sight }: Asked): number[] {
  return Array.from({ length: ROWS }, (_, row) => {
    const [caption, picture] = [captionOf(row), pictureOf(row)];
    return Math.min(
      caption === null ? Infinity : cosineDistance(words, caption, 0),
      picture === null ? Infinity : scale.distanceOf(cosineDistance(sight, picture, 0)),
    );
  });
}

const ordinals = fc.uniqueArray(fc.nat(ROWS - 1), { minLength: 1, maxLength: 50 });
const candidates = fc.option(ordinals, { nil: undefined });
const setOf = (rows: readonly number[] | undefined): OrdinalSet | undefined =>
  rows === undefined ? undefined : OrdinalSet.of(ROWS, rows);

it('finds the rows whose caption or picture is within the bound', () =>
  fc.assert(
    fc.asyncProperty(asked, fc.double({ min: -1, max: 3, noNaN: true }), candidates, async (query, most, among) => {
      const found = await (await scanned(query)).within({ distance: most, inclusive: false }, setOf(among));
      const expected = distances(query).flatMap((distance, row) =>
        distance < most && (among?.includes(row) ?? true) ? [row] : [],
      );
      expect([...found.toArray()]).toEqual(expected);
    }),
    { numRuns: 60 },
  ));

it('finds all rows with a vector without a bound', async () => {
  const query = { words: unitVector(1, 4), sight: unitVector(2, 6) };
  const found = await (await scanned(query)).within({ distance: Infinity, inclusive: false });
  expect(found.size).toBe(distances(query).filter((distance) => distance < Infinity).length);
});

it('finds the nearest by the smaller of both distances', () =>
  fc.assert(
    fc.asyncProperty(asked, fc.integer({ min: 1, max: ROWS }), candidates, async (query, limit, among) => {
      const found = await (await scanned(query)).nearest(limit, setOf(among));
      const expected = distances(query)
        .map((distance, ordinal) => ({ ordinal, distance }))
        .filter(({ ordinal, distance }) => distance < Infinity && (among?.includes(ordinal) ?? true))
        .sort((a, b) => a.distance - b.distance || a.ordinal - b.ordinal)
        .slice(0, limit);
      expect(found).toEqual(expected);
    }),
    { numRuns: 60 },
  ));

it('ranks by the smaller of both distances, within the returned bound', () =>
  fc.assert(
    fc.asyncProperty(asked, ordinals, async (query, rows) => {
      const truth = distances(query);
      const ranking = await (await scanned(query)).ranking();
      const { approximate, tolerance } = ranking;
      const refined = await ranking.refine(Int32Array.from(rows));
      for (const [at, row] of rows.entries()) {
        if (truth[row] === Infinity) {
          expect([approximate[row], refined[at]]).toEqual([Infinity, Infinity]);
          continue;
        }
        expect(Math.abs(approximate[row]! - truth[row]!)).toBeLessThanOrEqual(tolerance);
        expect(refined[at]).toBeCloseTo(truth[row]!, 3);
      }
    }),
    { numRuns: 60 },
  ));

it('frees its results', async () => {
  const scan = await scanned({ words: unitVector(1, 4), sight: unitVector(2, 6) }, 'pictures');
  const { approximate } = await scan.ranking();
  expect(approximate.length).toBe(ROWS);
  scan.release();
  await Promise.resolve();
  expect(approximate.length).toBe(0);
});
