import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';
import type { Page } from 'playwright-core';
import { startBrowser } from '../test/support/browser';
import { Random } from '../test/support/random';
import type { Bench, Report } from './bench';
import { RunningService } from './support/running-service';

const PICTURES = Number(process.env['PICTURES'] ?? 1_000);
const PLANTED = PICTURES / 10;
/** One for each digit. */
const FAMILIES = SAMPLE_FAMILIES.slice(0, 9).map(({ name }) => name);
const MOST_KEYS = 2;

interface Labelled {
  readonly file: string;
  readonly right: string;
  readonly given: string;
}

/** The name of a file begins with what it shows. */
const familyOf = (file: string): string => file.split(' ')[0]!;

/** Drawings of several families, some of which have the label of another one. */
async function draw(folder: string): Promise<readonly Labelled[]> {
  await mkdir(folder);
  const random = new Random(44);
  const all = Array.from({ length: PICTURES }, (_, at) => {
    const right = FAMILIES[at % FAMILIES.length]!;
    return { file: `${right} ${at}.jpg`, right, given: right };
  });
  for (let left = PLANTED; left > 0;) {
    const each = all[random.integer(all.length)]!;
    if (each.given !== each.right) continue;
    each.given = FAMILIES[(FAMILIES.indexOf(each.right) + 1 + random.integer(FAMILIES.length - 1)) % FAMILIES.length]!;
    left -= 1;
  }
  for (const { file, right } of all) {
    const family = SAMPLE_FAMILIES.find(({ name }) => name === right)!;
    const scene = family.draw(new SeededRandom(`planted ${file}`));
    await writeFile(join(folder, file), await renderPicture(scene, 'none', '.jpg', file));
  }
  const lines = all.map(({ file, given }) => `${file},"['${given}']"\n`);
  await writeFile(join(folder, 'image_annotations.csv'), `filename,label\n${lines.join('')}`);
  return all;
}

/** Answers the whole queue as somebody who sees what the pictures show. Returns the number of keys. */
async function answer(page: Page, address: string): Promise<number> {
  await page.goto(address);
  const file = page.getByRole('complementary', { name: 'Question' }).locator('p').last();
  const end = page.getByText('Nothing is left for you');
  let keys = 0;
  for (let before = ''; ;) {
    await file.or(end).waitFor();
    if (await end.isVisible()) return keys;
    const shown = await file.innerText();
    if (shown === before) continue;
    await page.keyboard.press(String(FAMILIES.indexOf(familyOf(shown)) + 1));
    before = shown;
    keys += 1;
  }
}

async function wrongLabels(service: RunningService, dataset: string): Promise<ReadonlySet<string>> {
  const wrong = new Set<string>();
  interface Listed {
    readonly annotations: readonly { readonly file_path: string; readonly label: string }[];
    readonly next_cursor: string | null;
  }
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = `source=ground_truth&limit=1000${cursor && `&cursor=${cursor}`}`;
    const page: Listed = await service.ask('GET', `/api/v1/dataset/${dataset}/annotations?${query}`);
    for (const { file_path: path, label } of page.annotations) if (label !== familyOf(path)) wrong.add(path);
    cursor = page.next_cursor;
  }
  return wrong;
}

async function measure(report: Report, service: RunningService, pictures: string): Promise<void> {
  const all = await draw(pictures);
  const dataset = await service.createFromFolder('planted', pictures);
  await service.untilReady(dataset);
  const planted = await wrongLabels(service, dataset);
  if (planted.size !== PLANTED) throw new Error(`${planted.size} labels are wrong instead of ${PLANTED}`);
  const queues = `/api/v1/dataset/${dataset}/review_queues`;
  const queue = await service.ask<{ id: string; n_items: number }>('POST', queues, {
    name: 'Doubtful',
    query: { vql: [{ issues: { op: 'issue', value: ['mislabels'] } }] },
    question: { type: 'choose', options: FAMILIES },
  });
  report.note(`${all.length} pictures, ${PLANTED} with a wrong label; ${queue.n_items} look wrong`);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    const started = performance.now();
    const keys = await answer(page, `${service.url}/datasets/${dataset}/review/${queue.id}`);
    report.note(`answered in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    const missed = (await wrongLabels(service, dataset)).size;
    report.figure('keys for each wrong label', keys / PLANTED, '', `<=${MOST_KEYS}`, keys / PLANTED <= MOST_KEYS);
    report.figure('wrong labels that are left', missed, '', '0', missed === 0);
  } finally {
    await browser.close();
  }
}

async function run(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-mislabels-'));
  const service = await RunningService.start(join(folder, 'data'), [folder]);
  try {
    await measure(report, service, join(folder, 'pictures'));
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'mislabels',
  summary: 'wrong labels planted in 1,000 pictures, mended in a review queue by keyboard (`PICTURES=200` for fewer)',
  run,
};
