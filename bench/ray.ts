import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { driverEvents } from '../src/common/engine/ray/driver-log';
import { waitUntil } from '../test/support/wait-until';
import { RayCluster } from '../test/support/ray-cluster';
import type { Bench, Report } from './bench';
import { photographFolder } from './support/photograph-folder';
import { compareByRay } from './support/ray-vectors';
import { RunningService } from './support/running-service';

/** If set, compares this many vectors instead of photographs. */
const ROWS = Number(process.env['ROWS'] ?? 0);
const FILES = Number(process.env['FILES'] ?? 1_000);
const GOAL = 1.25;
const MOST_AGAIN = 1;

interface Tasks {
  readonly tasks: readonly { readonly task_id: string }[];
}

/** The seconds from the request until the dataset is READY. */
async function seconds(service: RunningService, name: string, folder: string): Promise<number> {
  const started = performance.now();
  await service.untilReady(await service.createFromFolder(name, folder));
  return (performance.now() - started) / 1_000;
}

/** The number of steps of a dataset's Ray job that ran twice. */
async function doneAgain(service: RunningService, cluster: RayCluster, dataset: string): Promise<number> {
  const { tasks } = await service.ask<Tasks>('GET', `/api/v1/tasks?dataset_id=${dataset}`);
  const logs = await Promise.all((await cluster.jobsOf(tasks[0]!.task_id)).map((job) => cluster.logsOf(job)));
  return driverEvents(logs.join('')).filter(({ event }) => event === 'lost').length;
}

async function untilInTheMiddle(service: RunningService, dataset: string): Promise<void> {
  await waitUntil(async () => {
    const { progress } = await service.ask<{ progress: number }>('GET', `/api/v1/dataset/${dataset}`);
    return progress > 20;
  });
}

async function onOneMachine(place: string, photographs: string): Promise<number> {
  const variables = { WORKER_CONCURRENCY: '2' };
  const service = await RunningService.start(join(place, 'local'), [photographs], variables);
  try {
    await seconds(service, 'First', photographs);
    return await seconds(service, 'Local', photographs);
  } finally {
    await service.stop();
  }
}

async function onRay(report: Report, place: string, bin: string, photographs: string): Promise<number> {
  const token = randomBytes(24).toString('hex');
  const storage = { STORAGE_URL: pathToFileURL(join(place, 'shared')).href };
  const cluster = await RayCluster.start({ bin, token, variables: { ...storage, MEDIA_ROOTS: photographs } });
  const variables = { ENGINE: 'ray', RAY_ADDRESS: cluster.url, RAY_AUTH_TOKEN: token, WORKER_CONCURRENCY: '2' };
  const service = await RunningService.start(join(place, 'ray'), [photographs], { ...storage, ...variables });
  try {
    await seconds(service, 'First', photographs);
    const took = await seconds(service, 'Ray', photographs);
    const id = await service.createFromFolder('Node killed', photographs);
    await untilInTheMiddle(service, id);
    await cluster.killNode(2);
    await service.untilReady(id);
    const again = await doneAgain(service, cluster, id);
    report.figure('steps done again after a node was killed', again, '', `<=${MOST_AGAIN}`, again <= MOST_AGAIN);
    return took;
  } finally {
    await service.stop();
    await cluster.stop();
  }
}

async function run(report: Report): Promise<void> {
  const bin = process.env['RAY'] ?? join(process.env['HOME'] ?? '', '.cache/dataset-media-service/ray-2.60.0/bin');
  const place = await mkdtemp(join(tmpdir(), 'bench-ray-'));
  try {
    if (ROWS > 0) {
      await compareByRay(report, place, bin, ROWS);
      return;
    }
    const photographs = await photographFolder(FILES);
    const local = await onOneMachine(place, photographs);
    const ray = await onRay(report, place, bin, photographs);
    const version = execFileSync(join(bin, 'ray'), ['--version'], { encoding: 'utf8' }).trim();
    report.note(
      `${FILES} photographs in ${local.toFixed(1)} s here, in ${ray.toFixed(1)} s on three nodes (${version})`,
    );
    report.figure('three Ray nodes beside the engine local', ray / local, '', `<=${GOAL}`, ray / local <= GOAL);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'ray',
  summary:
    'a folder indexed, or ROWS=1000000 vectors compared, by this machine and by three Ray nodes on it, one of them killed (FILES=300 for fewer)',
  run,
};
