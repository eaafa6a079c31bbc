import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEVELS, type Level } from '../src/common/engine/media-table/media-row';
import { MediaTableStore, type WrittenTable } from '../src/common/engine/media-table/media-table-store';
import { DEFAULT_TEXT_MODEL } from '../src/common/platform/config/runtime-settings.schema';
import { presentExplore } from '../src/modules/search/explore/http/explore.presenter';
import type { MediaUrls } from '../src/modules/search/media/signed-media-urls';
import { cardReader } from '../src/common/engine/media-table/row-card';
import type { Bench, Report } from './bench';
import { pointerTo } from '../test/support/dataset-pointer';
import { folderStore } from '../test/support/folder-store';
import { longestTurn } from './support/longest-turn';
import { mediaCollection } from './support/media-collection';
import { openSearch, type OpenedSearch } from '../test/support/opened-search';
import { quantile } from './support/quantile';
import { signedUrls } from './support/signed-urls';

const ROWS = 1_000_000;
const DIMENSIONS = { embedding: 512, captionEmbedding: 256 };
const PAGES = [0, 49];
const WARM_RUNS = 40;
const DATASET = randomUUID();

interface Opened {
  readonly search: OpenedSearch;
  readonly urls: MediaUrls;
}

/** Opens the search as in a newly started process, with empty caches. */
async function openService(folder: string, table: WrittenTable): Promise<Opened> {
  const pointer = pointerTo(table, { clusteringId: DATASET, textModelId: DEFAULT_TEXT_MODEL });
  const search = await openSearch({
    tables: new MediaTableStore({ uri: folder, storageOptions: {} }),
    store: folderStore(folder),
    dataset: () => ({ pointer, status: 'READY' }),
    answerBytes: 128 * 2 ** 20,
  });
  return { search, urls: signedUrls() };
}

/** All steps of a request except HTTP: the page, its rows, signed addresses, and the JSON. */
async function ask(
  { search, urls }: Opened,
  level: Level,
  page: number,
  labels: readonly string[] = [],
): Promise<number> {
  const filters = labels.length === 0 ? [] : [{ kind: 'labels', op: 'one_of', values: labels } as const];
  const query = { entityType: 'IMAGES', level, filters } as const;
  const started = performance.now();
  const found = await search.explore.search(search.state(), query, page);
  const json = await presentExplore({ found, asked: { query, page }, names: new Map() }, urls);
  const took = performance.now() - started;
  if (found.clusters.length === 0 || json.length === 0)
    throw new Error(`No clusters on page ${page} of level ${level}`);
  return took;
}

async function run(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-explore-'));
  try {
    const started = performance.now();
    const table = await new MediaTableStore({ uri: folder, storageOptions: {} }).create(
      randomUUID(),
      DIMENSIONS,
      mediaCollection(ROWS, DIMENSIONS),
    );
    report.note(
      `${ROWS} rows of ${DIMENSIONS.embedding} and ${DIMENSIONS.captionEmbedding} numbers made and written in ${((performance.now() - started) / 1000).toFixed(1)} s, ${(table.bytes / 2 ** 20).toFixed(0)} MiB`,
    );
    await browse(report, folder, table);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function browse(report: Report, folder: string, table: WrittenTable): Promise<void> {
  const opened = await openService(folder, table);
  await openCold(report, opened);
  await readVectors(report, opened);
  const rows: Row[] = [];
  const warm: number[] = [];
  for (const level of LEVELS) {
    for (const page of PAGES) {
      const first = await ask(opened, level, page);
      const again: number[] = [];
      for (let i = 0; i < WARM_RUNS; i++) again.push(await ask(opened, level, page));
      warm.push(...again);
      rows.push(rowOf(`threshold ${level}, page ${page}`, again, first));
    }
  }
  const unseen: number[] = [];
  for (let page = 100; page < 200; page++) unseen.push(await ask(opened, 0, page));
  rows.push(rowOf('threshold 0, pages 100 to 199, each once', unseen));
  const labels: number[] = [];
  for (let i = 0; i < 40; i++) labels.push(await ask(opened, 2, 0, [`animal_${i}`]));
  rows.push(rowOf('threshold 2, page 0 of 40 labels, each once', labels));
  report.table(rows);
  figure(report, 'p50 of a page, warm', quantile(warm, 0.5), 15);
  figure(report, 'p99 of a page, warm', quantile(warm, 0.99), 60);
}

async function openCold(report: Report, opened: Opened): Promise<void> {
  let cold = 0;
  const longest = await longestTurn(async () => (cold = await ask(opened, 0, 0)));
  report.figure('cold open', cold / 1000, 's', '<3', cold < 3000);
  figure(report, 'longest turn of the event loop while opening, CPU', longest, 50);
  report.note(`the index keeps ${(opened.search.indexes.bytes / 2 ** 20).toFixed(0)} MiB in memory`);
}

/** Opening a version also starts reading its vectors, which slows down pages requested meanwhile. */
async function readVectors(report: Report, { search }: Opened): Promise<void> {
  const started = performance.now();
  const query = { entityType: 'IMAGES', level: 0, filters: [] } as const;
  const { clusters, cards } = await search.explore.search(search.state(), query, 0);
  const anchorId = cardReader(cards)(clusters[0]!.previews[0]!.card).id;
  const byPicture = { ...query, ranking: { kind: 'anchor', anchorId, anchorType: 'MEDIA' } } as const;
  await search.explore.search(search.state(), byPicture, 0);
  report.note(`vectors are read ${((performance.now() - started) / 1000).toFixed(1)} s later`);
}

type Row = Readonly<Record<string, string>>;

const rowOf = (what: string, times: readonly number[], first?: number): Row => ({
  what,
  'first ms': first?.toFixed(1) ?? '',
  'p50 ms': quantile(times, 0.5).toFixed(1),
  'p99 ms': quantile(times, 0.99).toFixed(1),
});

const figure = (report: Report, metric: string, milliseconds: number, below: number): void =>
  report.figure(metric, milliseconds, 'ms', `<${below}`, milliseconds < below);

export const bench: Bench = {
  name: 'explore',
  summary: 'browsing a million media at each threshold, warm and from a cold start',
  run,
};
