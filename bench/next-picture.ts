import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { MediaRow } from '../src/common/engine/media-table/media-row';
import { startBrowser } from '../test/support/browser';
import type { Bench, Report } from './bench';
import { ask, DIMENSIONS, makeDatasetOf } from './support/made-dataset';
import { mediaCollection } from './support/media-collection';
import { inProgram, type ProgramInProcess } from './support/program-in-process';
import { quantile } from './support/quantile';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const [WIDTH, HEIGHT] = [1_600, 1_200];
/** Each medium has one of them, at an address of its own. */
const PICTURES = 50;
const ANSWERS = 200;
/** For a look at the picture. */
const PAUSE_MS = 300;
const PICTURE = '[role=region][aria-label=Picture] img';

/** Records how long after a key another picture is on the screen. */
const WATCH = `
  localStorage.setItem('dms.tour', 'done');
  window.times = [];
  addEventListener('keydown', ({ timeStamp }) => {
    const before = document.querySelector('${PICTURE}');
    (function look() {
      const next = document.querySelector('${PICTURE}');
      if (next === null || next === before || !next.complete || next.naturalWidth === 0) requestAnimationFrame(look);
      else requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp)));
    })();
  }, true);
`;

async function writePictures(folder: string): Promise<readonly string[]> {
  await mkdir(folder);
  const paths = Array.from({ length: PICTURES }, (_, at) => join(folder, `${at}.jpg`));
  for (const path of paths) {
    const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
    const picture = sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#000', noise } });
    await writeFile(path, await picture.jpeg().toBuffer());
  }
  return paths;
}

function* rows(pictures: readonly string[]): Generator<MediaRow[]> {
  let at = 0;
  for (const some of mediaCollection(ROWS, DIMENSIONS))
    yield some.map((row) => ({ ...row, width: WIDTH, height: HEIGHT, source: pictures[at++ % PICTURES]! }));
}

/** Asked in the page, whose policy forbids Playwright's own way. */
const until = (page: Page, condition: string): Promise<void> =>
  page.evaluate(`new Promise((tell) => {
    (function look() {
      if (${condition}) tell();
      else requestAnimationFrame(look);
    })();
  })`);

async function answer(page: Page): Promise<readonly number[]> {
  for (let at = 1; at <= ANSWERS; at += 1) {
    await page.keyboard.press(at % 2 === 0 ? '1' : '2');
    await until(page, `times.length === ${at}`);
    await page.waitForTimeout(PAUSE_MS);
  }
  return page.evaluate<number[]>('times');
}

async function measure(report: Report, program: ProgramInProcess): Promise<void> {
  const pictures = await writePictures(join(program.dataDir, 'pictures'));
  const id = await makeDatasetOf(program, 'reviewed', rows(pictures));
  const asked = { name: 'Random', query: { sort: 'random', limit: 2 * ANSWERS } };
  const question = { type: 'choose', options: ['boat', 'house'] };
  const path = `/api/v1/dataset/${id}/review_queues`;
  const { id: queue } = await ask<{ id: string }>(program, 'POST', path, { ...asked, question });
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
    await page.addInitScript(WATCH);
    await page.goto(`${program.url}/datasets/${id}/review/${queue}`);
    await until(page, `document.querySelector('${PICTURE}')?.naturalWidth > 0`);
    const times = await answer(page);
    report.note(`${ROWS} media, pictures of ${WIDTH} by ${HEIGHT} pixels; ${PAUSE_MS} ms between two answers`);
    report.note(`half of them ${quantile(times, 0.5).toFixed(0)} ms, the longest ${Math.max(...times).toFixed(0)} ms`);
    const p95 = quantile(times, 0.95);
    report.figure('from the key to the next picture, p95', p95, 'ms', '<=100', p95 <= 100);
  } finally {
    await browser.close();
  }
}

export const bench: Bench = {
  name: 'next-picture',
  summary:
    'a review queue answered by keyboard in a browser, at a million media: from the key to the next picture (`ROWS=20000` for fewer)',
  run: (report) => inProgram((program) => measure(report, program)),
};
