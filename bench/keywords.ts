import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeywordQuery } from '../src/common/engine/media-table/caption-index';
import type { MediaRow } from '../src/common/engine/media-table/media-row';
import { MediaTableStore } from '../src/common/engine/media-table/media-table-store';
import type { TableVersion } from '../src/common/engine/media-table/table-version';
import type { Bench, Report } from './bench';
import { captionOf } from './support/captioned-collection';
import { mediaCollection } from './support/media-collection';
import { quantile } from './support/quantile';

const ROWS = Number(process.env['ROWS'] ?? 200_000);
const BATCHES = 20;
const BATCH = ROWS / 200;
const SEARCHES = 9;
/** Small, because keyword searches do not read vectors. */
const DIMENSIONS = { embedding: 8, captionEmbedding: 8 };
const QUERIES: readonly KeywordQuery[] = [
  { kind: 'word', word: 'dog' },
  { kind: 'word', word: '77' },
  { kind: 'phrase', words: 'brown dog near' },
];

const captionedRows = (count: number): MediaRow[] =>
  [...mediaCollection(count, DIMENSIONS)].flat().map((row, i) => ({ ...row, caption: captionOf(i) }));

interface Spent<T> {
  readonly result: T;
  /** CPU time of the process, on all processors. */
  readonly milliseconds: number;
}

async function spent<T>(run: () => Promise<T>): Promise<Spent<T>> {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return { result, milliseconds: (user + system) / 1000 };
}

async function searched(tables: MediaTableStore, at: TableVersion): Promise<number> {
  const table = await tables.open(at);
  const took: number[] = [];
  for (let round = 0; round < SEARCHES; round++)
    for (const query of QUERIES) took.push((await spent(() => table.keywordHits(query))).milliseconds);
  return quantile(took, 0.5);
}

async function measure(report: Report, tables: MediaTableStore): Promise<void> {
  const rows = captionedRows(ROWS + BATCHES * BATCH);
  const whole = await tables.create(randomUUID(), DIMENSIONS, [rows]);
  const atOnce = await searched(tables, whole);
  let at = await tables.create(randomUUID(), DIMENSIONS, [rows.slice(0, ROWS)]);
  const appending: number[] = [];
  const searching: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const added = rows.slice(ROWS + batch * BATCH, ROWS + (batch + 1) * BATCH);
    const { result, milliseconds } = await spent(() => tables.append(at, [added]));
    at = result;
    appending.push(milliseconds);
    searching.push(await searched(tables, at));
  }
  report.table(
    searching.map((search, batch) => ({
      'rows appended': (batch + 1) * BATCH,
      'append ms': appending[batch]!.toFixed(0),
      'search ms': search.toFixed(1),
    })),
  );
  report.note(
    `the same ${rows.length} rows written at once: ${atOnce.toFixed(1)} ms a search, all in milliseconds of a processor`,
  );
  const scanned = Math.max(...searching) - atOnce;
  report.figure('a search after any batch, more than of rows written at once', scanned, 'ms', '<=25', scanned <= 25);
}

async function run(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-keywords-'));
  try {
    await measure(report, new MediaTableStore({ uri: join(folder, 'tables'), storageOptions: {} }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'keywords',
  summary: 'words in the captions of 200,000 rows (`ROWS=20000` for fewer) and of 20 batches appended to them',
  run,
};
