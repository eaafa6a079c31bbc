import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { MediaTableStore } from '../src/common/engine/media-table/media-table-store';
import { DatasetReader } from '../src/modules/datasets';
import { detections, HEIGHT, WIDTH } from '../test/support/detections';
import type { Bench, Report } from './bench';
import { makeDataset } from './support/made-dataset';
import { proportionalMemory } from './support/process-tree';
import { inProgramOf } from './support/program-in-process';
import { quantile } from './support/quantile';
import { RunningService } from './support/running-service';

/** Of both sources. */
const BOXES = Number(process.env['BOXES'] ?? 5_000_000);
const LABELS = 80;
const DETECTIONS = 27;
const TRUTH_OF_PICTURE = 36_781 / 5_000;
const PICTURES = Math.ceil(BOXES / (DETECTIONS + TRUTH_OF_PICTURE));
const PICTURES_AT_ONCE = 1_000;
const POLL_MS = 200;
const TIMES = 20;
const [MOST_SECONDS, MOST_MIB] = [180, 2_048];
const MIB = 2 ** 20;
const SOURCES = ['truth', 'predictions'] as const;

interface Made {
  readonly dataset: string;
  /** Of the pictures. */
  readonly paths: readonly string[];
}

const makePictures = (dataDir: string): Promise<Made> =>
  inProgramOf(dataDir, async (program) => {
    const dataset = await makeDataset(program, PICTURES);
    const { pointer } = await program.app.get(DatasetReader).get(dataset);
    const table = await program.app.get(MediaTableStore).open(pointer!);
    const paths: string[] = [];
    for await (const rows of table.readRows(['path'])) for (const { path } of rows) paths.push(path);
    return { dataset, paths };
  });

const listed = function* (items: Iterable<object>): Generator<string> {
  let isFirst = true;
  for (const item of items) {
    yield `${isFirst ? '' : ','}${JSON.stringify(item)}`;
    isFirst = false;
  }
};

function* boxesOf(source: (typeof SOURCES)[number]): Generator<object> {
  const sizes = {
    ...{ pictures: PICTURES, truth: Math.round(PICTURES * TRUTH_OF_PICTURE) },
    ...{ labels: LABELS, detections: DETECTIONS },
  };
  let id = 0;
  for (let from = 0; from < PICTURES; from += PICTURES_AT_ONCE) {
    const set = detections(sizes, from, Math.min(from + PICTURES_AT_ONCE, PICTURES));
    for (const [at, annotations] of set[source].entries())
      for (const { box, label, area, crowd, confidence } of annotations)
        yield {
          ...{ id: id++, image_id: from + at, category_id: set.labels.indexOf(label), bbox: box },
          ...{ iscrowd: crowd === true ? 1 : 0, ...(area !== undefined && { area }) },
          ...(confidence !== undefined && { score: confidence }),
        };
  }
}

function* cocoOf(source: (typeof SOURCES)[number], paths: readonly string[]): Generator<string> {
  const names = detections({ pictures: 0, truth: 0, labels: LABELS, detections: 0 }).labels;
  yield '{"images":[';
  yield* listed(paths.map((path, id) => ({ id, file_name: path, width: WIDTH, height: HEIGHT })));
  yield '],"categories":[';
  yield* listed(names.map((name, id) => ({ id, name })));
  yield '],"annotations":[';
  yield* listed(boxesOf(source));
  yield ']}';
}

class Evaluated {
  private readonly path: string;

  constructor(
    private readonly service: RunningService,
    private readonly dataset: string,
  ) {
    this.path = `/api/v1/dataset/${dataset}`;
  }

  async import(source: string, file: string): Promise<void> {
    const form = ['--form', `source=${source}`, '--form', `files=@${file}`];
    const flags = ['--fail-with-body', '--silent', '--show-error'];
    const url = `${this.service.url}${this.path}/annotations/files`;
    const child = spawn('curl', [...flags, ...form, url], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`curl exited with ${code}`);
    await this.untilDone();
  }

  async evaluate(options: object): Promise<string> {
    const asked = { name: 'Measured', truth: 'truth', predictions: 'predictions', task: 'detection', options };
    const { evaluation_id: id } = await this.service.ask<{ evaluation_id: string }>(
      'POST',
      `${this.path}/evaluations`,
      asked,
    );
    await this.untilDone();
    return id;
  }

  /** In milliseconds. */
  async timeOf(path: string): Promise<number> {
    const started = performance.now();
    await this.service.ask('GET', `${this.path}/evaluations/${path}`);
    return performance.now() - started;
  }

  private async untilDone(): Promise<void> {
    for (;;) {
      const { tasks } = await this.service.ask<{ tasks: { status: string; error_message: string | null }[] }>(
        'GET',
        `/api/v1/tasks?dataset_id=${this.dataset}`,
      );
      if (tasks[0]?.status === 'COMPLETED') return;
      if (tasks[0]?.status === 'FAILED') throw new Error(tasks[0].error_message ?? 'The task failed');
      await delay(POLL_MS);
    }
  }
}

/** The most memory of the service while `work` runs, in MiB. */
async function peakDuring<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; own: number; all: number }> {
  const peak = { own: 0, all: 0 };
  const watch = setInterval(() => {
    const { own, all } = proportionalMemory(pid);
    [peak.own, peak.all] = [Math.max(peak.own, own), Math.max(peak.all, all)];
  }, POLL_MS);
  try {
    return { result: await work(), own: peak.own / MIB, all: peak.all / MIB };
  } finally {
    clearInterval(watch);
  }
}

/** What the page of an evaluation asks for, for the first time and again. */
async function page(report: Report, evaluated: Evaluated, id: string): Promise<void> {
  const paths = ['', '/counts', '/confusion', '/curves', '/slices', '/failures'];
  const rows = [];
  for (const path of paths) {
    const first = await evaluated.timeOf(`${id}${path}`);
    const times: number[] = [];
    for (let time = 0; time < TIMES; time++) times.push(await evaluated.timeOf(`${id}${path}`));
    rows.push({
      request: path === '' ? 'the evaluation' : path.slice(1),
      'first ms': first.toFixed(0),
      'p50 ms': quantile(times, 0.5).toFixed(1),
      'p95 ms': quantile(times, 0.95).toFixed(1),
    });
  }
  report.table(rows);
}

async function measure(report: Report, service: RunningService, evaluated: Evaluated): Promise<void> {
  const memory = (what: string): void => {
    const { own, all } = proportionalMemory(service.processId);
    report.note(`memory ${what}: ${(own / MIB).toFixed(0)} MiB, with its children ${(all / MIB).toFixed(0)} MiB`);
  };
  memory('before');
  const started = performance.now();
  const { result: first, own, all } = await peakDuring(service.processId, () => evaluated.evaluate({}));
  const seconds = (performance.now() - started) / 1000;
  const what = `${PICTURES} pictures, ${BOXES} boxes`;
  report.figure(`${what}, from the request to the end`, seconds, 's', `<=${MOST_SECONDS}`, seconds <= MOST_SECONDS);
  report.figure('memory of the service at most', own, 'MiB', `<=${MOST_MIB}`, own <= MOST_MIB);
  report.note(`with its children: ${all.toFixed(0)} MiB`);
  await page(report, evaluated, first);
  memory('after the requests of a page');
  const second = await evaluated.evaluate({ iou: 0.75 });
  report.note(`the comparison: ${(await evaluated.timeOf(`${first}/comparison?with=${second}`)).toFixed(0)} ms`);
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) times.push(await evaluated.timeOf(`${[first, second][time % 2]!}/counts`));
  const p50 = quantile(times, 0.5);
  report.figure('counts of two evaluations in turn, p50', p50, 'ms', '<300', p50 < 300);
  memory('after the requests of two evaluations');
}

async function run(report: Report, folder: string): Promise<void> {
  const dataDir = join(folder, 'data');
  const { dataset, paths } = await makePictures(dataDir);
  const service = await RunningService.start(dataDir, [folder]);
  try {
    const evaluated = new Evaluated(service, dataset);
    for (const source of SOURCES) {
      const file = join(folder, 'instances.json');
      await pipeline(Readable.from(cocoOf(source, paths)), createWriteStream(file));
      await evaluated.import(source, file);
    }
    await measure(report, service, evaluated);
  } finally {
    await service.stop();
  }
}

export const bench: Bench = {
  name: 'evaluation-service',
  summary: 'an evaluation of five million boxes by the whole service, and what its page asks for (`BOXES=` for fewer)',
  async run(report) {
    const folder = await mkdtemp(join(tmpdir(), 'evaluation-service-'));
    try {
      await run(report, folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
