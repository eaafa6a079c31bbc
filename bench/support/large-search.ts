import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SearchQuery } from '../../src/modules/search/query/domain/search-query';
import type { OpenedVersion } from '../../src/modules/versions/opened-version';
import type { Report } from '../bench';
import { mediaId } from './collection-row';
import { quantile } from './quantile';
import { searchRequests } from './search-requests';
import { openCollection, TAG, writeCollection, type SearchedCollection } from './searched-collection';

const SEARCHES = 40;
const COMPARED = 8;
const NEAREST = 100;
const CARDS_WITHIN_MS = 300_000;
const ALL: SearchQuery = { entityType: 'IMAGES', level: 0, filters: [] };

/** The goals: milliseconds per request, and GiB for the process. */
export interface LargeReach {
  readonly browse?: number;
  readonly labels?: number;
  readonly anchor: number;
  readonly gib: number;
}

export interface LargeCollection {
  readonly rows: number;
  readonly vectorBytes: number;
  /** The default of the service if undefined. */
  readonly exploreBytes?: number;
  readonly reach: LargeReach;
}

/** A collection whose vectors exceed the memory for vectors, searched by their index. */
export async function searchLarge(
  report: Report,
  { rows, vectorBytes, exploreBytes, reach }: LargeCollection,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-large-'));
  try {
    const pointer = await writeCollection(report, folder, rows, vectorBytes);
    const collection = await openCollection(folder, rows, () => pointer, {
      vectorBytes,
      ...(exploreBytes !== undefined && { exploreBytes }),
    });
    const index = await (await collection.tables.open(pointer)).nearestIndex('embedding');
    if (index === undefined) throw new Error('The vectors have no index');
    report.note(`the index says that it finds ${index.recall} of the nearest, in ${index.probes} of its cells`);
    const requests = searchRequests(rows, TAG);
    if (exploreBytes !== undefined) await cardsInMemory(report, collection);
    if (reach.browse !== undefined) await timed(report, 'browse', reach.browse, (n) => collection.ask(ALL, n));
    if (reach.labels !== undefined)
      await timed(report, 'filter by a label', reach.labels, (n) => collection.ask(requests.labels(n)));
    const byPicture = (row: number): SearchQuery => ({
      ...ALL,
      ranking: { kind: 'anchor', anchorId: mediaId(row), anchorType: 'MEDIA' },
    });
    const rowOf = (search: number): number => Math.floor(((search + 0.5) * rows) / (SEARCHES + 1));
    await timed(report, 'anchor by the index', reach.anchor, (n) => collection.ask(byPicture(rowOf(n))));
    await reportRecall(report, collection, (search) => rowOf((search * SEARCHES) / COMPARED));
    const gib = process.memoryUsage().rss / 2 ** 30;
    report.figure('resident', gib, 'GiB', `<${reach.gib}`, gib < reach.gib);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until the cards of previews are in memory. Pages are served without them until then. */
async function cardsInMemory(report: Report, { ask, search, pointer }: SearchedCollection): Promise<void> {
  const started = performance.now();
  await ask(ALL, SEARCHES + 1);
  using version = await search.versions.openToBrowse(pointer);
  while (version.cards() === undefined) {
    if (performance.now() - started > CARDS_WITHIN_MS) throw new Error('The cards of previews were not loaded');
    await setTimeout(500);
  }
  report.note(
    `cards of previews in memory ${((performance.now() - started) / 1000).toFixed(0)} s after the first page`,
  );
}

/** Requests the first page with varying parameters, after one request that fills the caches. */
async function timed(
  report: Report,
  name: string,
  reach: number,
  ask: (search: number) => Promise<number>,
): Promise<void> {
  const first = await ask(SEARCHES);
  const times: number[] = [];
  for (let search = 0; search < SEARCHES; search++) times.push(await ask(search));
  const p50 = quantile(times, 0.5);
  report.figure(`${name}, p50`, p50, 'ms', `<${reach}`, p50 < reach);
  report.note(`p99 ${quantile(times, 0.99).toFixed(0)} ms, the first one ${first.toFixed(0)} ms`);
}

async function reportRecall(
  report: Report,
  { search: { versions }, pointer }: SearchedCollection,
  rowOf: (search: number) => number,
): Promise<void> {
  let found = 0;
  const passes: number[] = [];
  for (let search = 0; search < COMPARED; search++) {
    const started = performance.now();
    const exact = await nearest(versions.open(pointer), rowOf(search));
    passes.push(performance.now() - started);
    const byIndex = await nearest(versions.openToBrowse(pointer), rowOf(search));
    for (const ordinal of exact) found += byIndex.has(ordinal) ? 1 : 0;
  }
  const recall = found / (COMPARED * NEAREST);
  report.figure(`recall of the nearest ${NEAREST}`, recall, '', '>=0.95', recall >= 0.95);
  report.note(`by reading the whole column, as operations do: ${(quantile(passes, 0.5) / 1000).toFixed(1)} s`);
}

async function nearest(opened: Promise<OpenedVersion>, row: number): Promise<Set<number>> {
  using version = await opened;
  const [found] = await version.table.takeRows([row], ['embedding']);
  const scan = await version.scanImages(found!.embedding!);
  return new Set((await scan.nearest(NEAREST)).map(({ ordinal }) => ordinal));
}
