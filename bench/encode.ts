import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEFAULT_IMAGE_MODEL } from '../src/common/platform/config/runtime-settings.schema';
import { ComputePool } from '../src/common/engine/compute/compute-pool';
import { BUILT_IN_MODELS } from '../src/common/engine/models/built-in-models';
import type { Bench, Report } from './bench';
import { bareOnnxSpent } from './support/bare-onnx';
import { BareSharp } from './support/bare-sharp';
import { photographFolder } from './support/photograph-folder';
import { pictureFolder } from './support/picture-folder';
import { spentBy, type Spent } from './support/process-tree';

const CORES = availableParallelism();
/** A CLIP ViT-B/32 model folder, as written by `models/recipes/formats/make-formats.py FOLDER --full`. */
const CLIP = process.env['CLIP'];
const TURNS = 3;
const NOTHING: Spent = { seconds: 0, cpuSeconds: 0 };

interface Contender {
  readonly what: string;
  readonly file: string;
  readonly side: number;
  readonly pictures: number;
  readonly apply: (pool: ComputePool, source: string) => Promise<unknown>;
}

const builtIn: Contender = {
  what: DEFAULT_IMAGE_MODEL,
  file: join(BUILT_IN_MODELS, DEFAULT_IMAGE_MODEL, 'model.onnx'),
  side: 128,
  pictures: 600,
  apply: (pool, source) =>
    pool.embed({ source, modelId: DEFAULT_IMAGE_MODEL, region: null, swapRedBlueForTiffHeic: false }),
};

const clip = (folder: string): Contender => ({
  what: basename(folder),
  file: join(folder, 'model.onnx'),
  side: 224,
  pictures: 60,
  apply: (pool, source) =>
    pool.apply({
      type: 'MULTIMODEL_IMAGE_ENCODING',
      source,
      modelId: `${basename(folder)}_v00`,
      regions: [null],
      options: {},
      swapRedBlueForTiffHeic: false,
    }),
});

async function withPool<T>(modelsDir: string | null, work: (pool: ComputePool) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-encode-'));
  const pool = new ComputePool({
    storageUrl: pathToFileURL(dataDir).href,
    s3: null,
    mediaRoots: [tmpdir()],
    mediaBuckets: [],
    baseUrl: 'http://127.0.0.1',
    dataDir,
    modelsDir,
    workerConcurrency: CORES,
  });
  try {
    return await work(pool);
  } finally {
    await pool.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function poolSpent(pool: ComputePool, paths: readonly string[], { apply }: Contender): Promise<Spent> {
  let next = 0;
  const some = async (): Promise<void> => {
    for (let at = next++; at < paths.length; at = next++) await apply(pool, pathToFileURL(paths[at]!).href);
  };
  return spentBy(
    () => pool.childPids,
    async () => {
      await Promise.all(Array.from({ length: pool.capacity }, some));
    },
  );
}

const plus = (one: Spent, other: Spent): Spent => ({
  seconds: one.seconds + other.seconds,
  cpuSeconds: one.cpuSeconds + other.cpuSeconds,
});

/** The two alternate, so that other load on the machine affects both equally. */
async function measure(report: Report, contender: Contender, modelsDir: string | null, folder: string, size: string) {
  const paths = (await readdir(folder)).sort().map((name) => join(folder, name));
  const { file, side, pictures: runs } = contender;
  const sharp = await BareSharp.start(CORES, 1, side);
  await withPool(modelsDir, async (pool) => {
    await poolSpent(pool, paths.slice(0, 4 * CORES), contender);
    let [ours, decoding, running] = [NOTHING, NOTHING, NOTHING];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const some = paths.slice(turn * contender.pictures, (turn + 1) * contender.pictures);
      ours = plus(ours, await poolSpent(pool, some, contender));
      decoding = plus(
        decoding,
        await spentBy(
          () => sharp.pids,
          () => sharp.describe(some),
        ),
      );
      running = plus(running, await bareOnnxSpent({ file, runs, side }, CORES));
    }
    const count = TURNS * contender.pictures;
    const told = ({ seconds, cpuSeconds }: Spent): string =>
      `${(count / seconds).toFixed(1)} images/s, ${((1000 * cpuSeconds) / count).toFixed(1)} ms of a processor each`;
    report.note(`${contender.what}, JPEGs of ${size}, with decoding: ${told(ours)}`);
    report.note(`bare sharp: ${told(decoding)}; bare onnxruntime on ready tensors: ${told(running)}`);
    const ratio = plus(decoding, running).seconds / ours.seconds;
    report.figure(
      `${contender.what}, ${size}, ratio to bare sharp and bare onnxruntime`,
      ratio,
      '',
      '>=0.85',
      ratio >= 0.85,
    );
  }).finally(() => sharp.stop());
}

async function run(report: Report): Promise<void> {
  const small = await pictureFolder(TURNS * builtIn.pictures);
  const large = await photographFolder(2000);
  await measure(report, builtIn, null, small, '384 x 256');
  await measure(report, builtIn, null, large, '1600 x 1067');
  if (CLIP === undefined) {
    report.note('CLIP names no folder, so CLIP ViT-B/32 was not measured');
    return;
  }
  await measure(report, clip(CLIP), dirname(CLIP), small, '384 x 256');
  await measure(report, clip(CLIP), dirname(CLIP), large, '1600 x 1067');
}

export const bench: Bench = {
  name: 'encode',
  summary:
    'images/s of the built-in encoder, and of CLIP ViT-B/32 in the folder CLIP, compared with bare sharp and bare onnxruntime',
  run,
};
