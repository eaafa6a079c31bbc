import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pMapSettled } from 'p-map';
import { Scene } from './drawing';
import { drawOddity } from './families/oddities';
import { editPicture, renderPicture, spoil } from './picture';
import { extensionOf, planSample, SamplePlan } from './sample-plan';
import { annotationFiles } from './sample-annotations';
import { SampleTruth, truthOf } from './sample-truth';
import { makeVideos } from './sample-videos';
import { SeededRandom } from './seeded-random';

export const SAMPLE_SEED = 1;
/** Enough to keep the image library's own threads busy while limiting memory. */
const PARALLEL = 4;

export interface SampleOptions {
  readonly seed?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface SampleSummary {
  readonly folder: string;
  /** The number of image files, including the unreadable ones. */
  readonly images: number;
  readonly videos: readonly string[];
  readonly annotations: readonly string[];
  /** The parts that could not be created, one sentence each. */
  readonly notes: readonly string[];
  readonly truth: SampleTruth;
}

/** Draws the sample dataset into `folder`, which must not exist; it appears only when complete. */
export async function makeSample(
  folder: string,
  { seed = SAMPLE_SEED, onProgress }: SampleOptions = {},
): Promise<SampleSummary> {
  if (await exists(folder)) throw new Error(`The sample's folder ${folder} already exists.`);
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    const plan = planSample(seed);
    const images = await writeImages(unfinished, plan, seed, onProgress);
    const annotations = annotationFiles(plan, images.scenes, seed);
    for (const [name, text] of annotations) await writeFile(join(unfinished, name), text);
    const videos = await makeVideos(unfinished, seed);
    await rename(unfinished, folder);
    return {
      folder,
      images: images.count,
      videos: videos.paths,
      annotations: [...annotations.keys()],
      notes: videos.note === null ? [] : [videos.note],
      truth: truthOf(plan),
    };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function writeImages(
  folder: string,
  plan: SamplePlan,
  seed: number,
  onProgress: SampleOptions['onProgress'],
): Promise<{ count: number; scenes: ReadonlyMap<string, Scene> }> {
  const scenes = new Map<string, Scene>();
  const total = plan.drawn.length + plan.oddities.length + plan.copies.length + plan.edits.length + plan.faults.length;
  let done = 0;
  const write = async (path: string, bytes: Buffer): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
    onProgress?.(++done, total);
  };
  await inParallel(plan.drawn, async ({ path, family, treatment, seed: own }) => {
    const scene = family.draw(new SeededRandom(own));
    await write(path, await renderPicture(scene, treatment, extensionOf(path), own));
    scenes.set(path, withoutDrawing(scene));
  });
  await inParallel(plan.oddities, async ({ path, index, seed: own }) => {
    const scene = drawOddity(index, new SeededRandom(own));
    await write(path, await renderPicture(scene, 'none', extensionOf(path), own));
    scenes.set(path, withoutDrawing(scene));
  });
  await inParallel(plan.copies, async ({ path, original }) => write(path, await readFile(join(folder, original.path))));
  await inParallel(plan.edits, async ({ path, original, edit }) => {
    await write(path, await editPicture(await readFile(join(folder, original.path)), edit, original.seed));
  });
  await inParallel(plan.faults, async ({ path, fault }) => {
    const random = new SeededRandom(`${seed} ${fault}`);
    const picture = await renderPicture(drawOddity(0, random), 'none', extensionOf(path), fault);
    await write(path, spoil(fault, picture, random));
  });
  return { count: total, scenes };
}

/** Not kept in memory: only the caption and boxes of the drawings are needed later. */
function withoutDrawing(scene: Scene): Scene {
  return { ...scene, svg: '' };
}

/** Begins nothing more after a failure, and settles only when no work is in progress. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let hasFailed = false;
  const unlessFailed = async (item: T): Promise<void> => {
    if (hasFailed) return;
    try {
      await work(item);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const outcomes = await pMapSettled(items, unlessFailed, { concurrency: PARALLEL });
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
