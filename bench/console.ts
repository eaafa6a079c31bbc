import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import type { MediaRow } from '../src/common/engine/media-table/media-row';
import type { ObjectStore } from '../src/common/platform/storage/object-store';
import { OBJECT_STORE } from '../src/common/platform/storage/storage.module';
import { startWholeBrowser } from '../test/support/browser';
import type { Bench, Report } from './bench';
import { DIMENSIONS, makeDatasetOf } from './support/made-dataset';
import { mediaCollection } from './support/media-collection';
import { inProgram, type ProgramInProcess } from './support/program-in-process';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const SCREENS = 100;
const MOST_TILES = 150;
const THUMBNAILS = 1000;
const PATIENCE_MS = 120_000;
const VIEWPORT = { width: 1440, height: 900 };
const TILE = '[role=gridcell] img';
/** Benches run in the root of the repository. */
const BUILT = join(process.cwd(), 'dist-web');

/** Runs in the page: records when the first tile has its image, and the longest task since the last reset. */
const WATCH = `
  localStorage.setItem('dms.tour', 'done');
  window.watched = { firstTile: null, longest: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.longest = Math.max(watched.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
  (function look() {
    const picture = document.querySelector('${TILE}');
    if (picture !== null && picture.complete && picture.naturalWidth > 0)
      requestAnimationFrame(() => setTimeout(() => { watched.firstTile = performance.now(); }));
    else requestAnimationFrame(look);
  })();
`;

const scroller = "document.querySelector('[role=grid]').parentElement";

/** A browser context with an empty cache. */
async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.addInitScript(WATCH);
  return context;
}

/** Polls in the page, so that polling takes no time from the service. */
async function until(page: Page, condition: string): Promise<void> {
  const isSo = await page.evaluate<boolean>(`new Promise((tell) => {
    const giveUp = performance.now() + ${PATIENCE_MS};
    (function look() {
      if (${condition}) tell(true);
      else if (performance.now() > giveUp) tell(false);
      else requestAnimationFrame(look);
    })();
  })`);
  if (!isSo) throw new Error(`The condition did not become true within ${PATIENCE_MS} ms: ${condition}`);
}

interface Shown {
  readonly firstPaint: number;
  readonly firstTile: number;
}

/** The times in seconds after the start of the navigation. */
async function shown(page: Page, go: () => Promise<unknown>): Promise<Shown> {
  await go();
  await until(page, 'watched.firstTile !== null');
  const [paint, tile] = await page.evaluate<[number, number]>(
    "[performance.getEntriesByName('first-contentful-paint')[0].startTime, watched.firstTile]",
  );
  return { firstPaint: paint / 1000, firstTile: tile / 1000 };
}

/** The size of the scripts that the page loaded, as sent to a browser without Brotli. */
const gzipped = (scripts: readonly string[]): number =>
  scripts.reduce((sum, path) => sum + statSync(join(BUILT, `${path}.gz`)).size, 0);

interface Scrolled {
  readonly longest: number;
  readonly mostTiles: number;
}

/** Scrolls screen by screen once all images are loaded, and continues with the next part at the end of a part of the result. */
async function scroll(page: Page): Promise<Scrolled> {
  await page.evaluate('watched.longest = 0');
  let mostTiles = 0;
  for (let screen = 0; screen < SCREENS; screen++) {
    const isAtEnd = await page.evaluate<boolean>(
      `${scroller}.scrollTop + ${scroller}.clientHeight >= ${scroller}.scrollHeight - 1`,
    );
    if (isAtEnd) {
      const next = page.getByRole('button', { name: 'Later clusters' });
      if (!(await next.isVisible()) || (await next.isDisabled())) break;
      await next.click();
    } else await page.evaluate(`${scroller}.scrollBy(0, ${scroller}.clientHeight)`);
    await until(
      page,
      `document.querySelectorAll('${TILE}').length > 0 &&
        document.querySelectorAll('[role=gridcell]').length === document.querySelectorAll('${TILE}').length`,
    );
    mostTiles = Math.max(mostTiles, await page.evaluate<number>("document.querySelectorAll('[role=gridcell]').length"));
  }
  return { mostTiles, longest: await page.evaluate<number>('watched.longest') };
}

async function heapBytes(context: BrowserContext, page: Page): Promise<number> {
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** Generated rows have no thumbnails; these suffice for a few pages. */
async function putThumbnails({ app }: ProgramInProcess): Promise<readonly string[]> {
  const store = app.get<ObjectStore>(OBJECT_STORE);
  const keys = Array.from({ length: THUMBNAILS }, (_, at) => `thumbnails/made/${at}.webp`);
  for (const [at, key] of keys.entries()) {
    const background = { r: at % 256, g: 70, b: 229 };
    const picture = sharp({ create: { width: 320, height: 213, channels: 3, background } });
    await store.put(key, await picture.webp().toBuffer());
  }
  return keys;
}

/** The sources are in a folder that the service may read. */
function* localRows({ dataDir }: ProgramInProcess, thumbnails: readonly string[]): Generator<MediaRow[]> {
  let at = 0;
  for (const rows of mediaCollection(ROWS, DIMENSIONS))
    yield rows.map((row) => ({
      ...row,
      source: join(dataDir, row.path),
      thumbnailKey: thumbnails[at++ % thumbnails.length]!,
    }));
}

async function measure(report: Report, program: ProgramInProcess, browser: Browser): Promise<void> {
  const id = await makeDatasetOf(program, 'a million', localRows(program, await putThumbnails(program)));
  report.note(`${ROWS} media, which share ${THUMBNAILS} pictures`);
  const context = await newContext(browser);
  const page = await context.newPage();
  const scripts: string[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(new URL(response.url()).pathname);
  });
  const address = `${program.url}/datasets/${id}/explore?level=0`;
  const cold = await shown(page, () => page.goto(address));
  const bytes = gzipped(scripts);
  const warm = await shown(page, () => page.reload());
  const { mostTiles, longest } = await scroll(page);
  const heap = await heapBytes(context, page);
  for (const [when, { firstPaint, firstTile }] of [
    ['with nothing in memory', cold],
    ['again', warm],
  ] as const) {
    report.figure(`first paint, ${when}`, firstPaint, 's', '<1.5', firstPaint < 1.5);
    report.figure(`first tile, ${when}`, firstTile, 's', '<1.5', firstTile < 1.5);
  }
  report.figure(`longest task of ${SCREENS} screens (0: none of 50 ms)`, longest, 'ms', '<100', longest < 100);
  report.figure('most tiles in the document', mostTiles, '', `<=${MOST_TILES}`, mostTiles <= MOST_TILES);
  report.figure('heap of the page afterwards', heap / 1e6, 'MB', '<300', heap < 300e6);
  report.figure('scripts of the first load, gzipped', bytes / 1000, 'KB', '<250', bytes < 250_000);
}

async function run(report: Report): Promise<void> {
  const browser = await startWholeBrowser();
  try {
    await inProgram((program) => measure(report, program, browser));
  } finally {
    await browser.close();
  }
}

export const bench: Bench = {
  name: 'console',
  summary:
    'Explore in a browser with a million media: time to the first tile, scrolling, memory (`ROWS=20000` for fewer)',
  run,
};
