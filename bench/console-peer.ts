import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startWholeBrowser } from '../test/support/browser';
import type { Bench, Report } from './bench';
import { consoleContender } from './support/console-contender';
import { copiesOf } from './support/copies-of-dataset';
import type { Contender } from './support/contender';
import { FiftyOneApp } from './support/fiftyone-app';
import { fiftyOneContender } from './support/fiftyone-contender';
import { LABELS, labelledPictureFolder, labelOf } from './support/labelled-picture-folder';
import { quantile } from './support/quantile';
import { RunningService } from './support/running-service';
import { namesInSight, untilTiles, watchTiles, type Seen } from './support/tile-watch';
import { vectorsOfDataset, type VectorsOfDataset } from './support/vectors-of-dataset';

const PICTURES = Number(process.env['PICTURES'] ?? 100_000);
const PYTHON = process.env['FIFTYONE_PYTHON'];
/** After a first round that starts with empty caches. */
const ROUNDS = 5;
const VIEWPORT = { width: 1440, height: 900 };
/** The App requests fonts from there; blocked, so that it does not wait for them. */
const ELSEWHERE = ['*://fonts.googleapis.com/*'];
const MEASURES = ['first grid', 'filter by a label', 'sort by similarity'] as const;

type Measure = (typeof MEASURES)[number];

class Visitor {
  readonly seen: Readonly<Record<Measure, Seen[]>> = {
    'first grid': [],
    'filter by a label': [],
    'sort by similarity': [],
  };

  private constructor(
    readonly contender: Contender,
    private readonly page: Page,
  ) {}

  static async of(browser: Browser, contender: Contender): Promise<Visitor> {
    const context = await browser.newContext({ viewport: VIEWPORT });
    await context.addInitScript((stored) => {
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
    }, contender.stored);
    await watchTiles(context, contender.tiles);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setBlockedURLs', { urls: ELSEWHERE });
    return new Visitor(contender, page);
  }

  async openGrid(): Promise<Seen> {
    await this.page.goto(this.contender.address, { waitUntil: 'commit' });
    return untilTiles(this.page, { kind: 'any' });
  }

  async measureGrid(): Promise<void> {
    this.seen['first grid'].push(await this.openGrid());
  }

  async measureFilter(label: string): Promise<void> {
    await this.openGrid();
    const act = await this.contender.prepareFilter(this.page, label);
    this.seen['filter by a label'].push(await untilTiles(this.page, { kind: 'label', label }, act));
  }

  async measureSimilarity(name: string): Promise<{ readonly picture: string; readonly names: readonly string[] }> {
    this.contender.showAll();
    await this.openGrid();
    const act = await this.contender.prepareSimilarity(this.page, name);
    this.seen['sort by similarity'].push(await untilTiles(this.page, { kind: 'others' }, act));
    return {
      picture: (await this.contender.pictureSortedBy?.(this.page)) ?? name,
      names: await namesInSight(this.page),
    };
  }
}

type Pair = readonly [ours: Visitor, theirs: Visitor];

/** The names of the first tiles when sorted by similarity to an image. */
interface Sorted {
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** The programs alternate, so that other load on the machine affects both equally. */
async function measureAll([ours, theirs]: Pair, names: readonly string[]): Promise<readonly Sorted[]> {
  const visitors = [ours, theirs];
  for (let round = 0; round <= ROUNDS; round++) for (const visitor of visitors) await visitor.measureGrid();
  for (let round = 0; round <= ROUNDS; round++)
    for (const visitor of visitors) await visitor.measureFilter(LABELS[round % LABELS.length]!);
  const sorted: Sorted[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const { picture, names: found } = await ours.measureSimilarity(names[round]!);
    const { names: other } = await theirs.measureSimilarity(picture);
    sorted.push({ ours: found, theirs: other });
  }
  return sorted;
}

/** The share of the first tiles that both have. The console shows copies as one tile; `tileOf` maps an image to its tile. */
function partShared({ ours, theirs }: Sorted, tileOf: (name: string) => string): number {
  const [own, other] = [ours, theirs].map((names) => [...new Set(names.map(tileOf))]);
  const most = Math.min(own!.length, other!.length);
  return other!.slice(0, most).filter((tile) => own!.slice(0, most).includes(tile)).length / most;
}

function compare(report: Report, [ours, theirs]: Pair): void {
  const seconds = (visitor: Visitor, measure: Measure): { cold: number; warm: number; tiles: number } => {
    const [first, ...others] = visitor.seen[measure];
    return {
      cold: first!.seconds,
      warm: quantile(
        others.map((each) => each.seconds),
        0.5,
      ),
      tiles: first!.tiles,
    };
  };
  report.table(
    MEASURES.flatMap((measure) =>
      [ours, theirs].map((visitor) => {
        const { cold, warm, tiles } = seconds(visitor, measure);
        return {
          'in seconds': measure,
          who: visitor.contender.name,
          'with nothing in memory': cold.toFixed(2),
          again: warm.toFixed(2),
          'each time': visitor.seen[measure].map((each) => each.seconds.toFixed(2)).join(' '),
          'tiles in sight': tiles,
        };
      }),
    ),
  );
  for (const measure of MEASURES) {
    const [own, other] = [seconds(ours, measure), seconds(theirs, measure)];
    for (const [when, mine, their] of [
      ['with nothing in memory', own.cold, other.cold],
      ['again', own.warm, other.warm],
    ] as const) {
      report.figure(`${measure}, ${when}`, mine, 's', `<${their.toFixed(3)}, the peer`, mine < their);
      report.figure(`${measure}, ${when}, times faster`, their / mine, '', '>1', mine < their);
    }
  }
}

/** The names of the images on the first page of Explore. */
async function firstNames(service: RunningService, datasetId: string): Promise<string[]> {
  type Page = { readonly clusters: readonly { readonly previews: readonly { readonly file_name: string }[] }[] };
  const { clusters } = await service.ask<Page>('GET', `/api/v1/explore/${datasetId}?level=0`);
  return clusters.map(({ previews }) => previews[0]!.file_name);
}

async function indexed(service: RunningService, folder: string): Promise<VectorsOfDataset & { readonly id: string }> {
  const id = await service.createFromFolder('pictures', folder);
  await service.untilReady(id);
  return { id, ...(await vectorsOfDataset(service.url, id)) };
}

async function beside(report: Report, python: string, dataDir: string): Promise<void> {
  const folder = await labelledPictureFolder(PICTURES);
  const indexing = await RunningService.start(dataDir, [folder]);
  const { id, names, vectors, dimension } = await indexed(indexing, folder).finally(() => indexing.stop());
  // Both start with empty caches.
  const service = await RunningService.start(dataDir, [folder]);
  const app = await FiftyOneApp.start(python, folder, {
    media: names.map((name) => [name, labelOf(name)] as const),
    dimension,
    vectors,
  });
  const browser = await startWholeBrowser();
  try {
    report.note(`${PICTURES} pictures with ${LABELS.length} labels; FiftyOne ${app.version}`);
    const visitors = [
      await Visitor.of(browser, consoleContender(service.url, id)),
      await Visitor.of(browser, fiftyOneContender(app)),
    ] as const;
    const sorted = await measureAll(visitors, await firstNames(service, id));
    compare(report, visitors);
    const copies = await copiesOf(service, id);
    const [plain, joined] = [(name: string) => name, (name: string) => copies.get(name) ?? name].map((tileOf) =>
      quantile(
        sorted.map((each) => partShared(each, tileOf)),
        0.5,
      ),
    );
    report.note(
      `${(100 * plain!).toFixed(0)} % of the first tiles are the same, sorted by similarity, and ${(100 * joined!).toFixed(0)} % where copies count as one, as in the console`,
    );
  } finally {
    await browser.close();
    await app.stop();
    await service.stop();
  }
}

async function run(report: Report): Promise<void> {
  if (PYTHON === undefined) {
    report.note('Skipped: set FIFTYONE_PYTHON to the path of a Python with the package fiftyone and a MongoDB.');
    return;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-console-peer-'));
  try {
    await beside(report, PYTHON, dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'console-peer',
  summary:
    'the same 100,000 pictures in the console and in the FiftyOne App: first grid, filter, sort by similarity (`PICTURES=5000` for fewer)',
  run,
};
