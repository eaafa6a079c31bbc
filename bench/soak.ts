import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient, filesForm } from '../test/support/api-client';
import { ExportClient } from '../test/support/export-client';
import { SnapshotClient } from '../test/support/snapshot-client';
import type { Bench, Report } from './bench';
import { photographFolder } from './support/photograph-folder';
import { RunningService } from './support/running-service';
import { Figures, type Sample } from './support/soak-figures';

const MINUTES = Number(process.env['MINUTES'] ?? 60);
const PHOTOGRAPHS = 100;
const SHOWN = 60;
const CHANGED = 10;
const ADDED = 8;
const BROWSERS = 2;
const BROWSE_EVERY_MS = 200;
const SAMPLE_EVERY_MS = 5_000;
const TAGGER = { enrichment_models: { IMAGE_TAGGING: 'drawn-world_tagger_v00' } };

interface Load {
  readonly api: ApiClient;
  readonly folder: string;
  readonly photographs: readonly string[];
  readonly isOver: () => boolean;
  readonly done: Map<string, number>;
}

const pathOf = (id: string, rest = ''): string => `/api/v1/dataset/${id}${rest}`;

/** Counts completed steps, so that a load that makes no progress is noticed. */
async function step<Result>({ done }: Load, name: string, work: () => Promise<Result>): Promise<Result> {
  const result = await work();
  done.set(name, (done.get(name) ?? 0) + 1);
  return result;
}

/** Changes which files are in the folder, but not how many. */
async function showOthers({ folder, photographs }: Load, cycle: number): Promise<void> {
  const at = (index: number): string => photographs[index % photographs.length]!;
  for (let each = 0; each < CHANGED; each += 1) {
    const [gone, come] = [at(cycle * CHANGED + each), at(cycle * CHANGED + SHOWN + each)];
    await rm(join(folder, gone));
    await cp(join(await photographFolder(PHOTOGRAPHS), come), join(folder, come));
  }
}

/** Changes the content of a permanent dataset, but not its size. */
async function keepOne(load: Load, id: string): Promise<void> {
  const { api } = load;
  const snapshots = new SnapshotClient(api);
  for (let cycle = 0; !load.isOver(); cycle += 1) {
    await showOthers(load, cycle);
    await step(load, 'syncs', async () => {
      await api.must(202, 'POST', pathOf(id, '/sync?prune=true'));
      await api.untilStatus(id, ['PARTIAL INDEX']);
    });
    await step(load, 'reindexes', async () => {
      await api.must(202, 'POST', pathOf(id, '/reindex'));
      await api.untilStatus(id, ['READY']);
    });
    const before = await snapshots.list(id);
    await step(load, 'snapshots', () => snapshots.keep(id, `Cycle ${cycle}`));
    for (const { snapshot_id: old } of before) await api.must(200, 'DELETE', pathOf(id, `/snapshot/${old}`));
  }
}

async function enrich({ api }: Load, id: string): Promise<void> {
  await api.must(200, 'POST', pathOf(id, '/enrich_dataset?in_place=true'), TAGGER);
  for (;;) {
    const { enrichment_context_id: context } = await api.must<{ enrichment_context_id: string }>(
      200,
      'GET',
      `/api/v1/enrichment/${id}/context`,
    );
    const { status } = await api.must<{ status: string }>(200, 'GET', `/api/v1/enrichment/${id}/${context}/status`);
    if (status === 'COMPLETED') return;
    if (status === 'FAILED') throw new Error('The enrichment failed');
    await delay(100);
  }
}

/** Creates and deletes datasets. */
async function comeAndGo(load: Load): Promise<void> {
  const { api, photographs } = load;
  const folder = await photographFolder(PHOTOGRAPHS);
  const files = await Promise.all(
    photographs
      .slice(0, ADDED)
      .map(async (name) => ({ name: `new-${name}`, bytes: await readFile(join(folder, name)) })),
  );
  for (let cycle = 0; !load.isOver(); cycle += 1) {
    const id = await step(load, 'creations', async () => {
      return api.indexed(`Cycle ${cycle}`, folder);
    });
    await step(load, 'additions', async () => {
      await api.must(202, 'POST', pathOf(id, '/add_media'), filesForm(files));
      await api.untilStatus(id, ['PARTIAL INDEX']);
      await api.must(202, 'POST', pathOf(id, '/reindex'));
      await api.untilStatus(id, ['READY']);
    });
    await step(load, 'enrichments', () => enrich(load, id));
    await step(load, 'exports', async () => {
      const exports = new ExportClient(api);
      await exports.untilCompleted(id, await exports.start(id, 'export_format=json'));
    });
    await step(load, 'deletions', () => api.must(204, 'DELETE', pathOf(id)));
  }
}

async function browse(load: Load, id: string): Promise<void> {
  const vql = encodeURIComponent(JSON.stringify([{ issues: { op: 'issue', value: ['dark'], threshold: 0 } }]));
  const paths = [
    '/api/v1/datasets',
    `/api/v1/explore/${id}?threshold=2`,
    `/api/v1/explore/${id}?threshold=0&vql=${vql}`,
  ];
  for (let at = 0; !load.isOver(); at += 1) {
    await step(load, 'reads', () => load.api.must(200, 'GET', paths[at % paths.length]!));
    await delay(BROWSE_EVERY_MS);
  }
}

async function run(report: Report): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'bench-soak-'));
  const [folder, dataDir] = [join(place, 'shown'), join(place, 'data')];
  const source = await photographFolder(PHOTOGRAPHS);
  const photographs = (await readdir(source)).sort();
  for (const name of photographs.slice(0, SHOWN)) await cp(join(source, name), join(folder, name));
  const service = await RunningService.start(dataDir, [source, folder]);
  const figures = new Figures(service, join(dataDir, 'store', 'tables'));
  try {
    const end = performance.now() + MINUTES * 60_000;
    let isCutShort = false;
    const isOver = (): boolean => isCutShort || performance.now() >= end;
    const load: Load = { api: new ApiClient(service.url), folder, photographs, isOver, done: new Map() };
    const kept = await service.createFromFolder('Kept', folder);
    await service.untilReady(kept);
    const works = [keepOne(load, kept), comeAndGo(load)];
    for (let each = 0; each < BROWSERS; each += 1) works.push(browse(load, kept));
    const samples: Sample[] = [];
    const sampling = (async () => {
      while (!isOver()) {
        samples.push(await figures.now());
        await delay(SAMPLE_EVERY_MS);
      }
    })();
    const failures: string[] = [];
    const noted = [...works, sampling].map((work) =>
      work.catch((error: unknown) => {
        failures.push(String(error));
        isCutShort = true;
      }),
    );
    await Promise.all(noted);
    for (const failure of failures) report.note(`failed: ${failure}`);
    report.note(`${MINUTES} minutes: ${[...load.done].map(([name, count]) => `${count} ${name}`).join(', ')}`);
    report.figure('operations and reads that failed', failures.length, '', '0', failures.length === 0);
    figures.report(report, samples);
  } finally {
    await service.stop();
    await rm(place, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'soak',
  summary: 'what grows under a mixed load that stays the same (MINUTES=60)',
  run,
};
