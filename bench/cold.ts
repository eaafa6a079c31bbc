import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MediaTableStore } from '../src/common/engine/media-table/media-table-store';
import type { DatasetPointer } from '../src/modules/datasets';
import type { SearchQuery } from '../src/modules/search/query/domain/search-query';
import type { Bench, Report } from './bench';
import { mediaId } from './support/collection-row';
import { openCollection, writeCollection, type SearchedCollection } from './support/searched-collection';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const ADDED = 2_000;
/** The time that a user looks at the first page before they search by one of its images. */
const LOOKED_MS = 10_000;
/** The interval at which the console repeats a partial search. */
const AGAIN_MS = 2_000;

const page: SearchQuery = { entityType: 'IMAGES', level: 3, filters: [] };
const byPicture = (row: number): SearchQuery => ({
  ...page,
  level: 0,
  ranking: { kind: 'anchor', anchorId: mediaId(row), anchorType: 'MEDIA' },
});

/** Appends copies of the first rows with other ids, as adding a batch does. */
async function grow(folder: string, pointer: DatasetPointer): Promise<DatasetPointer> {
  const tables = new MediaTableStore({ uri: folder, storageOptions: {} });
  for await (const rows of (await tables.open(pointer)).readRows()) {
    const added = rows.slice(0, ADDED).map((row, at) => ({ ...row, id: mediaId(ROWS + at) }));
    return { ...pointer, version: (await tables.append(pointer, [added])).version };
  }
  throw new Error('The collection has no rows');
}

/** Repeats a search that accepts partial results until all media are searched. */
async function told(report: Report, which: string, { askForPart, ask }: SearchedCollection): Promise<void> {
  // Excludes the time of the first page without vectors, which has its own benchmark.
  await ask({ ...page, filters: [{ kind: 'uniqueness', above: 0.5 }] });
  const started = performance.now();
  const answers: string[] = [];
  let first: number | undefined;
  for (let share = 0, row = 7; share < 1; row += 2) {
    const found = await askForPart(byPicture(row));
    first ??= found.milliseconds;
    share = found.share;
    answers.push(`${(share * 100).toFixed(0)} % after ${((performance.now() - started) / 1000).toFixed(1)} s`);
    if (share < 1) await setTimeout(AGAIN_MS);
  }
  const name = `${which} search by picture, until it is told what was searched`;
  report.figure(name, first!, 'ms', '<1000', first! < 1000);
  report.note(`${which}: ${answers.join(', ')}`);
}

async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cold-'));
  try {
    let pointer = await writeCollection(report, folder, ROWS);
    for (const which of ['the very first', 'after a start, the first']) {
      const started = await openCollection(folder, ROWS, () => pointer);
      await told(report, which, started);
      // Stops the read-ahead, which would compete for the disk.
      await started.search.vectors.onModuleDestroy();
    }

    const { ask } = await openCollection(folder, ROWS, () => pointer);
    report.note(`the first page: ${(await ask(page)).toFixed(0)} ms`);
    await setTimeout(LOOKED_MS);
    const first = await ask(byPicture(11));
    report.figure('search by picture, 10 s after the first page', first, 'ms', '<1000', first < 1000);

    pointer = await grow(folder, pointer);
    const grown = await ask(byPicture(13));
    report.figure(`search by picture at once after ${ADDED} more`, grown, 'ms', '<1000', grown < 1000);
    const later = await ask(byPicture(17));
    report.note(`and the next one: ${later.toFixed(0)} ms`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'cold',
  summary: '1,000,000 media: the first search by picture of a process, and after a batch',
  run,
};
