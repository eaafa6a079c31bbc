import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Report } from './bench';
import { photographFolder } from './support/photograph-folder';
import { quantile } from './support/quantile';
import { ReplicatedService } from './support/replicated-service';

const FILES = Number(process.env['FILES'] ?? 1_000);
const REQUESTS = 400;
const EVERY_MS = 25;
const SMALL = 20;
const MOST_SECONDS = 30;

const paths = (id: string): Readonly<Record<string, string>> => ({
  browse: `/api/v1/explore/${id}?entity_type=IMAGES&threshold=2`,
  search: `/api/v1/explore/${id}?entity_type=IMAGES&threshold=0&vql=${encodeURIComponent(
    JSON.stringify([{ issues: { op: 'issue', value: ['dark', 'bright'], threshold: 0 } }]),
  )}`,
});

/** The 99th percentile in milliseconds, with requests sent at a steady rate regardless of the responses. */
async function slowest(service: ReplicatedService, path: string): Promise<number> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  for (let sent = 0; sent < REQUESTS; sent += 1) {
    const started = performance.now();
    pending.push(service.api.ask('GET', path).then(() => void times.push(performance.now() - started)));
    await delay(EVERY_MS);
  }
  await Promise.all(pending);
  return quantile(times, 0.99);
}

async function smallFolder(folder: string): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'bench-busy-'));
  for (const name of (await readdir(folder)).slice(0, SMALL)) await cp(join(folder, name), join(place, name));
  return place;
}

async function run(report: Report): Promise<void> {
  const folder = await photographFolder(FILES);
  const small = await smallFolder(folder);
  const service = await ReplicatedService.start([folder, small]);
  try {
    await service.addWorker(0);
    const browsed = await service.api.createFromFolder('Browsed', folder);
    await service.api.untilReady(browsed);
    const asked = Object.entries(paths(browsed));
    for (const [, path] of asked) await service.api.ask('GET', path);
    const idle = new Map<string, number>();
    for (const [name, path] of asked) idle.set(name, await slowest(service, path));

    const indexed = [1, 2, 3, 4].map((at) => service.api.createFromFolder(`Indexed ${at}`, folder));
    const large = await Promise.all(indexed);
    await delay(2_000);
    for (const [name, path] of asked) {
      const [before, now] = [idle.get(name)!, await slowest(service, path)];
      report.note(`${name}: p99 ${before.toFixed(1)} ms idle, ${now.toFixed(1)} ms while a worker indexes`);
      report.figure(`p99 of ${name} while indexing, beside idle`, now / before, '', '<=2', now <= 2 * before);
    }
    const started = performance.now();
    await service.api.untilReady(await service.api.createFromFolder('Small', small));
    const taken = (performance.now() - started) / 1_000;
    const isBusy = (await Promise.all(large.map((id) => statusOf(service, id)))).includes('INDEXING');
    if (!isBusy) report.note('The large datasets were ready first: use more files.');
    report.figure(`${SMALL} pictures while large datasets are indexed`, taken, 's', `<=${MOST_SECONDS}`, taken <= 30);
  } finally {
    await service.stop();
    await rm(small, { recursive: true, force: true });
  }
}

const statusOf = async (service: ReplicatedService, id: string): Promise<string> =>
  (await service.api.ask<{ status_new: string }>('GET', `/api/v1/dataset/${id}`)).status_new;

export const bench: Bench = {
  name: 'busy',
  summary: 'browsing and searching while a worker indexes, beside idle, and how long a small dataset then takes',
  run,
};
