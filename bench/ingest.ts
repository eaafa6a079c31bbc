import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ComputePool } from '../src/common/engine/compute/compute-pool';
import { DEFAULT_IMAGE_MODEL } from '../src/common/platform/config/runtime-settings.schema';
import type { Bench, Report } from './bench';
import { BareSharp } from './support/bare-sharp';
import { photographFolder } from './support/photograph-folder';
import { secondsOfFastdup } from './support/fastdup';
import { RunningService } from './support/running-service';
import { processTree, ResidentMemory } from './support/process-tree';

const FILES = 2000;
const ROUND = 250;
const CORES = availableParallelism();
const AT_ONCE = [1, 2, 3];
const FASTDUP = process.env['FASTDUP_PYTHON'];
const { MODELS_DIR } = process.env;
const MODELS: Readonly<Record<string, string>> = MODELS_DIR === undefined ? {} : { MODELS_DIR };

type Describe = (paths: readonly string[]) => Promise<void>;

async function seconds(describe: Describe, paths: readonly string[]): Promise<number> {
  const started = performance.now();
  await describe(paths);
  return (performance.now() - started) / 1000;
}

/** The fastest of a few settings, measured on some of the files. */
async function bestBareSharp(paths: readonly string[]): Promise<{ sharp: BareSharp; atOnce: number }> {
  const tried: { atOnce: number; taken: number }[] = [];
  for (const atOnce of [1, ...AT_ONCE]) {
    const sharp = await BareSharp.start(CORES, atOnce);
    tried.push({ atOnce, taken: await seconds((some) => sharp.describe(some), paths) });
    sharp.stop();
  }
  // The first run fills the page cache.
  const [best] = tried.slice(1).sort((a, b) => a.taken - b.taken);
  return { sharp: await BareSharp.start(CORES, best!.atOnce), atOnce: best!.atOnce };
}

const newPool = (store: string): ComputePool =>
  new ComputePool({
    storageUrl: pathToFileURL(store).href,
    s3: null,
    mediaRoots: [tmpdir()],
    mediaBuckets: [],
    baseUrl: 'http://127.0.0.1',
    dataDir: store,
    modelsDir: null,
    workerConcurrency: CORES,
  });

const analyzing =
  (pool: ComputePool): Describe =>
  async (paths) => {
    let next = 0;
    const some = async (): Promise<void> => {
      for (let at = next++; at < paths.length; at = next++) {
        const source = pathToFileURL(paths[at]!).href;
        const request = {
          source,
          modelId: DEFAULT_IMAGE_MODEL,
          fileName: basename(paths[at]!),
          boxes: [],
          swapRedBlueForTiffHeic: false,
          frameHeight: null,
        };
        const result = await pool.analyze(request);
        if (result.kind !== 'IMAGE') throw new Error(`${source} gave ${JSON.stringify(result)}`);
      }
    };
    await Promise.all(Array.from({ length: pool.capacity }, some));
  };

interface Taken {
  seconds: number;
  cpuSeconds: number;
}

/** Contenders alternate, so that other load on the machine affects all of them equally. */
async function inTurns(paths: readonly string[], contenders: readonly Describe[]): Promise<Taken[]> {
  const taken = contenders.map(() => ({ seconds: 0, cpuSeconds: 0 }));
  for (let at = 0; at < paths.length; at += ROUND) {
    for (const [i, describe] of contenders.entries()) {
      const cpuBefore = processTree().cpuSeconds;
      taken[i]!.seconds += await seconds(describe, paths.slice(at, at + ROUND));
      taken[i]!.cpuSeconds += processTree().cpuSeconds - cpuBefore;
    }
  }
  return taken;
}

const row = (what: string, { seconds: wall, cpuSeconds }: Taken, files: number) => ({
  what,
  'images/s': (files / wall).toFixed(1),
  'processor ms an image': ((1000 * cpuSeconds) / files).toFixed(1),
});

function besideFastdup(report: Report, folder: string, taken: number): void {
  if (FASTDUP === undefined) {
    report.note('Not compared with fastdup: set FASTDUP_PYTHON to the path of a Python with the package fastdup.');
    return;
  }
  const ratio = taken / secondsOfFastdup(FASTDUP, folder);
  report.figure('folder to READY, time beside fastdup', ratio, '', '<=1.5', ratio <= 1.5);
}

/** Creates a dataset from the folder and waits for READY, between runs of bare sharp over the first and the second half of the files. */
async function wholePath(report: Report, folder: string, sharp: BareSharp, paths: readonly string[]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-ingest-service-'));
  const service = await RunningService.start(join(dataDir, 'data'), [folder], MODELS);
  try {
    const half = paths.length / 2;
    const before = await seconds((some) => sharp.describe(some), paths.slice(0, half));
    const memory = new ResidentMemory();
    const taken = await seconds(async () => service.untilReady(await service.createFromFolder('Bench', folder)), paths);
    const residentBytes = memory.stop();
    const after = await seconds((some) => sharp.describe(some), paths.slice(half));
    report.note(
      `folder to READY: ${(paths.length / taken).toFixed(1)} images/s; bare sharp: ${(paths.length / (before + after)).toFixed(1)} images/s`,
    );
    const ratio = (before + after) / taken;
    besideFastdup(report, folder, taken);
    report.figure('folder to READY, ratio to bare sharp', ratio, '', '>=0.75', ratio >= 0.75);
    report.figure(
      'folder to READY, resident memory of all processes',
      residentBytes / 1e9,
      'GB',
      '<2.5',
      residentBytes < 2.5e9,
    );
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function run(report: Report): Promise<void> {
  const folder = await photographFolder(FILES);
  const paths = (await readdir(folder)).sort().map((name) => join(folder, name));
  const store = await mkdtemp(join(tmpdir(), 'bench-ingest-'));
  const { sharp, atOnce } = await bestBareSharp(paths.slice(0, ROUND));
  const pool = newPool(store);
  try {
    // Starts the processes of both.
    await analyzing(pool)(paths.slice(0, 2 * CORES));
    const memory = new ResidentMemory();
    const [bare, ours] = await inTurns(paths, [(some) => sharp.describe(some), analyzing(pool)]);
    const residentBytes = memory.stop();
    report.table([
      row(`bare sharp, ${CORES} processes, ${atOnce} files at once in each`, bare!, paths.length),
      row('compute pool, thumbnails stored in a folder', ours!, paths.length),
    ]);
    const ratio = bare!.seconds / ours!.seconds;
    report.figure('compute pool, ratio to bare sharp', ratio, '', '>=0.75', ratio >= 0.75);
    report.note(`by processor time the ratio is ${(bare!.cpuSeconds / ours!.cpuSeconds).toFixed(3)}`);
    report.figure('compute pool, resident memory', residentBytes / 1e9, 'GB', '<2.5', residentBytes < 2.5e9);
    await pool.stop();
    await wholePath(report, folder, sharp, paths);
  } finally {
    sharp.stop();
    await pool.stop();
    await rm(store, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'ingest',
  summary: '2,000 JPEGs of 1600 x 1067: images per second, compared with plain sharp on the same files',
  run,
};
