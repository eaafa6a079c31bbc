import { cosineDistance } from '../../src/common/engine/vectors/exact-distances';
import type { Report } from '../bench';
import type { OpenedVersion } from '../../src/modules/versions/opened-version';
import type { SearchedCollection } from './searched-collection';
import { captionOf } from './captioned-collection';

const QUERIES = 4;
const CUTS = [0.1, 0.4, 0.6, 0.9];
const NEAREST = 100;
/** The filter matches a ten-thousandth of the rows. */
const RARE = 10_000;

/** Checks every result against the exact cosine of every row in 64 bits. */
export async function searchExactness(report: Report, collection: SearchedCollection): Promise<void> {
  const { search, pointer } = collection;
  using version = await search.versions.open(pointer);
  await decisionsOf(report, collection, version);
  await rareFilter(report, collection);
}

async function decisionsOf(
  report: Report,
  { rows, tables, pointer }: SearchedCollection,
  version: OpenedVersion,
): Promise<void> {
  const table = await tables.open(pointer);
  let wrong = 0;
  let decisions = 0;
  let found = 0;
  for (const column of ['embedding', 'caption_embedding'] as const) {
    for (let n = 0; n < QUERIES; n++) {
      const row = (n * 262_147 + 11) % rows;
      const [own] = await table.takeRows([row], ['embedding', 'captionEmbedding']);
      const query = column === 'embedding' ? own!.embedding! : own!.captionEmbedding!;
      const scan =
        column === 'embedding'
          ? await version.scanImages(query)
          : (await version.scanText({ text: captionOf(row), by: 'caption' }))!;
      const truth = new Float64Array(rows);
      for await (const { first, count, columns } of table.readColumns([column])) {
        const vectors = columns[column] as Float32Array;
        for (let i = 0; i < count; i++) truth[first + i] = cosineDistance(query, vectors, i * query.length);
      }
      for (const cut of CUTS) {
        const passed = await scan.within({ distance: cut, inclusive: true });
        for (let i = 0; i < rows; i++) if (passed.has(i) !== truth[i]! <= cut) wrong++;
        decisions += rows;
      }
      const nearest = await scan.nearest(NEAREST);
      const farthest = truth.slice().sort()[NEAREST - 1]!;
      found += nearest.filter(({ ordinal }) => truth[ordinal]! <= farthest).length;
    }
  }
  const recall = found / (2 * QUERIES * NEAREST);
  report.figure(`threshold decisions of ${decisions} that differ from brute force`, wrong, '', '0', wrong === 0);
  report.figure(`recall@${NEAREST}`, recall, '', '>=0.999', recall >= 0.999);
}

/** A very selective filter must still find all its rows. */
async function rareFilter(report: Report, { search, pointer, rows }: SearchedCollection): Promise<void> {
  const expected = Math.ceil(rows / RARE);
  const values = Array.from({ length: expected }, (_, i) => `image_${i * RARE}.jpg`);
  const query = { entityType: 'IMAGES', level: 0, filters: [{ kind: 'files', op: 'one_of', values }] } as const;
  using version = await search.versions.open(pointer);
  const { matches } = await search.engine.select('any', version, query);
  const missing = expected - matches!.size;
  report.figure(`media missing of the ${expected} that a rare filter leaves`, missing, '', '0', missing === 0);
}
