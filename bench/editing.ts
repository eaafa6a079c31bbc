import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startBrowser } from '../test/support/browser';
import { pictureBytes } from '../test/support/pictures';
import type { Bench, Report } from './bench';
import { RunningService } from './support/running-service';

const [WIDTH, HEIGHT] = [1_600, 1_200];
const LARGE = [4_000, 3_000] as const;
const MOVES = 200;
const MOST_MS = 50;

interface Crowd {
  readonly name: string;
  readonly shapes: readonly object[];
  /** A place at which only one shape is. */
  readonly grip: readonly [x: number, y: number];
}

const BOXES: Crowd = {
  name: '1,000 boxes',
  shapes: Array.from({ length: 1_000 }, (_, at) => ({
    ...{ type: 'box', x: (at % 40) * 40, y: Math.floor(at / 40) * 45, width: 60, height: 50 },
  })),
  grip: [850, 498],
};

const POLYGONS: Crowd = {
  name: '200 polygons of 120 points',
  shapes: Array.from({ length: 200 }, (_, at) => {
    const [x, y] = [(at % 20) * 76 + 45, Math.floor(at / 20) * 115 + 50];
    const corner = (point: number) => (point * Math.PI) / 60;
    return {
      type: 'polygon',
      rings: [
        Array.from({ length: 120 }, (_, point) => [
          x + 40 * Math.cos(corner(point)),
          y + 40 * Math.sin(corner(point)),
        ]).flat(),
      ],
    };
  }),
  grip: [45 + 76 * 10, 50 + 115 * 5],
};

/** Records the time between two frames. */
const WATCH = `
  window.frameTimes = [];
  (function look(before) {
    requestAnimationFrame((now) => {
      frameTimes.push(now - before);
      look(now);
    });
  })(performance.now());
`;

async function ask(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
}

async function onlyPicture(service: RunningService, dataset: string): Promise<string> {
  const answer = await fetch(`${service.url}/api/v1/explore/${dataset}?threshold=0`);
  const { clusters } = (await answer.json()) as { clusters: { previews: { media_id: string }[] }[] };
  return clusters[0]!.previews[0]!.media_id;
}

/** The longest time between two frames while one of the shapes is dragged. */
async function longestFrame(
  page: Page,
  service: RunningService,
  dataset: string,
  { shapes, grip }: Crowd,
): Promise<number> {
  const mediaId = await onlyPicture(service, dataset);
  const address = `${service.url}/api/v1/dataset/${dataset}/annotations`;
  const annotations = shapes.map((shape, at) => ({ media_id: mediaId, label: `label ${at % 7}`, shape }));
  await ask(address, { source: 'ground_truth', mode: 'replace', annotations });
  await page.goto(`${service.url}/datasets/${dataset}/explore?media=${mediaId}`);
  const outlines = page.getByRole('img', { name: 'Annotations' }).locator('g > title');
  await outlines.nth(shapes.length - 1).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Edit' }).click();
  const box = (await page.getByRole('group', { name: /to draw on/ }).boundingBox())!;
  const [x, y] = [box.x + (grip[0] / WIDTH) * box.width, box.y + (grip[1] / HEIGHT) * box.height];
  await page.mouse.click(x, y);
  const selected = page.locator('g[data-selected] path').first();
  const before = await selected.getAttribute('d');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.evaluate(WATCH);
  for (let move = 0; move < MOVES; move += 1)
    await page.mouse.move(x + move * Math.cos(move / 10), y + move * Math.sin(move / 10));
  const longest = await page.evaluate<number>('Math.max(...frameTimes)');
  if ((await selected.getAttribute('d')) === before) throw new Error('The shape was not dragged');
  await page.mouse.up();
  return longest;
}

/** The longest time between two frames while the brush goes over a picture, and until its mask is saved. */
async function longestFrameOfBrush(page: Page, service: RunningService, dataset: string): Promise<number> {
  await page.goto(`${service.url}/datasets/${dataset}/explore?media=${await onlyPicture(service, dataset)}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const box = (await page.getByRole('group', { name: /to draw on/ }).boundingBox())!;
  const move = (at: number) =>
    page.mouse.move(
      box.x + box.width * (0.5 + 0.4 * Math.sin(at / 7)),
      box.y + box.height * (0.5 + 0.4 * Math.cos(at / 11)),
    );
  const stroke = async (moves = MOVES) => {
    await move(0);
    await page.mouse.down();
    for (let at = 0; at < moves; at += 1) await move(at);
    await page.mouse.up();
  };
  await page.keyboard.press('m');
  await stroke();
  await page.keyboard.type('weed');
  await page.keyboard.press('Enter');
  await page.getByText('All saved').waitFor();
  await page.evaluate(WATCH);
  await stroke();
  await page.keyboard.press('e');
  await stroke(MOVES / 2);
  await page.getByText('All saved').waitFor();
  return page.evaluate<number>('Math.max(...frameTimes)');
}

async function run(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-editing-'));
  const service = await RunningService.start(join(folder, 'data'), [folder]);
  const browser = await startBrowser();
  const datasetOf = async (name: string, size: readonly [width: number, height: number]) => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'one.jpg'), await pictureBytes(1, ...size));
    const dataset = await service.createFromFolder(name, join(folder, name));
    await service.untilReady(dataset);
    return dataset;
  };
  const measure = async (name: string, longestIn: (page: Page) => Promise<number>) => {
    // What was dropped in one is not sent by the next.
    const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
    await context.addInitScript("localStorage.setItem('dms.tour', 'done')");
    const longest = await longestIn(await context.newPage());
    report.figure(`longest frame, ${name}`, longest, 'ms', `<=${MOST_MS}`, longest <= MOST_MS);
    await context.close();
  };
  try {
    const dataset = await datasetOf('crowd', [WIDTH, HEIGHT]);
    for (const crowd of [BOXES, POLYGONS])
      await measure(crowd.name, (page) => longestFrame(page, service, dataset, crowd));
    const large = await datasetOf('large', LARGE);
    await measure('a brush over 12 megapixels', (page) => longestFrameOfBrush(page, service, large));
  } finally {
    await browser.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'editing',
  summary:
    'a shape dragged on a picture with many others, and a brush over a large one, in Chromium: the longest time between two frames',
  run,
};
