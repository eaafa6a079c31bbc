import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchQuery } from '../src/modules/search/domain/query/search-query';
import type { Bench, Report } from './bench';
import { mediaId } from './support/collection-row';
import { quantile } from './support/quantile';
import { openCollection, writeCollection, type SearchedCollection } from './support/searched-collection';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
/** A quarter of what the vectors take. */
const VECTOR_BYTES = ROWS * 256;
const SEARCHES = 40;
const COMPARED = 8;
const NEAREST = 100;

const rowAt = (search: number): number => Math.floor(((search + 0.5) * ROWS) / SEARCHES);
const byPicture = (row: number): SearchQuery => ({
  entityType: 'IMAGES',
  level: 0,
  filters: [],
  ranking: { kind: 'anchor', anchorId: mediaId(row), anchorType: 'MEDIA' },
});

/** The rows nearest to one, as Explore finds them or as an operation does. */
function nearest({ search, pointer }: SearchedCollection, how: 'browse' | 'use', row: number): Promise<Set<number>> {
  return search.versions[how](pointer, async (version) => {
    const [found] = await version.table.takeRows([row], ['embedding']);
    const scan = await version.scanImages(found!.embedding!);
    return new Set((await scan.nearest(NEAREST)).map(({ ordinal }) => ordinal));
  });
}

async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-approximate-'));
  try {
    const pointer = await writeCollection(report, folder, ROWS, VECTOR_BYTES);
    const collection = await openCollection(folder, ROWS, () => pointer, VECTOR_BYTES);
    const index = await (await collection.tables.open(pointer)).nearestIndex('embedding');
    if (index === undefined) throw new Error('The vectors have no index');
    report.note(`the index says that it finds ${index.recall} of the nearest, in ${index.probes} of its cells`);

    await collection.ask(byPicture(1));
    const times: number[] = [];
    for (let search = 0; search < SEARCHES; search++) times.push(await collection.ask(byPicture(rowAt(search))));
    const p50 = quantile(times, 0.5);
    report.figure('anchor by the index, first page, p50', p50, 'ms', '<300', p50 < 300);
    report.note(`p99 ${quantile(times, 0.99).toFixed(0)} ms`);

    let found = 0;
    const passes: number[] = [];
    for (let search = 0; search < COMPARED; search++) {
      const row = rowAt(search * (SEARCHES / COMPARED));
      const started = performance.now();
      const exact = await nearest(collection, 'use', row);
      passes.push(performance.now() - started);
      const byIndex = await nearest(collection, 'browse', row);
      for (const ordinal of exact) found += byIndex.has(ordinal) ? 1 : 0;
    }
    const recall = found / (COMPARED * NEAREST);
    report.figure(`recall of the nearest ${NEAREST}`, recall, '', '>=0.95', recall >= 0.95);
    report.note(`by reading the whole column, as operations do: ${(quantile(passes, 0.5) / 1000).toFixed(1)} s`);
    const gib = process.memoryUsage().rss / 2 ** 30;
    report.figure('resident', gib, 'GiB', '<12', gib < 12);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'approximate',
  summary: `search by picture where vectors take more memory than there is for them (ROWS=${ROWS})`,
  run,
};
