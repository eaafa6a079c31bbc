import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { DEFAULT_IMAGE_MODEL } from '../src/common/platform/config/runtime-settings.schema';
import { BUILT_IN_MODELS } from '../src/common/engine/models/built-in-models';
import { NEAR_DUPLICATES } from '../src/common/engine/similarity/near-duplicates';
import type { ImageModel } from '../src/common/engine/models/model-runtime';
import { structureOfVectors } from '../test/support/structures';
import type { Bench, Report } from './bench';
import { imageModel } from '../src/model-tools/calibrate-model';
import { COPY_KINDS } from '../src/model-tools/picture-copies';
import { describedCopies, drawnPictures, picturesOf, type DescribedCopies } from './support/copied-pictures';
import { describedSample } from './support/described-sample';
import { pairAgreement } from '../src/model-tools/pair-agreement';

const DRAWN = 116;
const THREADS = 2;
const MODEL = process.env['MODEL'];
const CACHE = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
/** Filled by `bench/fetch-pictures`. */
const FETCHED = join(CACHE, 'dataset-media-service', 'real-pictures', 'pictures');

interface Vectors {
  readonly count: number;
  readonly dimension: number;
  readonly vectors: Float32Array;
}

type Ladder = ImageModel['manifest']['calibration']['ladder'];

/** The ladder of the model, unless LADDER contains five other cosines. */
function ladderOf({ manifest }: ImageModel): Ladder {
  const text = process.env['LADDER'];
  if (text === undefined) return manifest.calibration.ladder;
  const cosines = text.split(',').map(Number);
  if (cosines.length !== 5 || cosines.some((cosine, at) => !(cosine <= (cosines[at - 1] ?? 1))))
    throw new Error(`LADDER is ${text}. Set it to five descending cosines, such as 0.9,0.8,0.7,0.6,0.5.`);
  return cosines as unknown as Ladder;
}

/** Reports precision, recall and F1 of each level, for clusters made as indexing makes them. */
async function reportLevels(
  report: Report,
  name: string,
  items: Vectors,
  truth: Int32Array,
  model: ImageModel,
): Promise<void> {
  const ladder = ladderOf(model);
  const { count, dimension, vectors } = items;
  const contentGroup = Int32Array.from({ length: count }, (_, item) => item);
  const input = { count, dimension, vectors, contentGroup, ladder, threads: THREADS };
  const { clusters } = await structureOfVectors(input);
  const levels = clusters.map((level) => pairAgreement(level, truth));
  report.table(
    levels.map(({ precision, recall, f1 }, level) => ({
      [name]: `level ${level}`,
      cut: ladder[level]!,
      precision: precision.toFixed(3),
      recall: recall.toFixed(3),
      F1: f1.toFixed(3),
    })),
  );
  const { precision } = levels[1]!;
  report.figure(`${name}: precision at level 1`, precision, '', '>=0.9', precision >= 0.9);
}

function cosinesTo({ count, dimension, vectors }: Vectors, item: number): Float64Array {
  const own = vectors.subarray(item * dimension, (item + 1) * dimension);
  return Float64Array.from({ length: count }, (_, other) => {
    let dot = 0;
    for (let d = 0; d < dimension; d++) dot += own[d]! * vectors[other * dimension + d]!;
    return dot;
  });
}

/** Searches the copies of each picture, among as many other pictures and by near duplicates. */
function reportCopies(report: Report, name: string, items: DescribedCopies, model: ImageModel): void {
  const { nearDuplicates: cut } = model.manifest.calibration;
  const kinds = COPY_KINDS.map((kind) => ({ kind, first: 0, near: 0 }));
  let wronglyNear = 0;
  const group = kinds.length + 1;
  for (let item = 0; item < items.count; item += group) {
    const cosines = cosinesTo(items, item);
    const others = [...cosines.keys()].filter((other) => other !== item).sort((a, b) => cosines[b]! - cosines[a]!);
    const first = new Set(others.slice(0, kinds.length));
    for (const [at, kind] of kinds.entries()) {
      if (first.has(item + 1 + at)) kind.first += 1;
      if (cosines[item + 1 + at]! >= cut) kind.near += 1;
    }
    wronglyNear += others.filter(
      (other) => cosines[other]! >= cut && items.picture[other] !== items.picture[item],
    ).length;
  }
  const pictures = items.count / group;
  report.table(
    kinds.map(({ kind, first, near }) => ({
      [name]: kind,
      'among the first six': (first / pictures).toFixed(3),
      [`from ${NEAR_DUPLICATES} on, a cosine of ${cut}`]: (near / pictures).toFixed(3),
    })),
  );
  const sum = (key: 'first' | 'near'): number => kinds.reduce((total, kind) => total + kind[key], 0);
  const [recall, near] = [sum('first') / (pictures * kinds.length), sum('near') / (pictures * kinds.length)];
  const mirrored = kinds.find(({ kind }) => kind === 'mirror')!.first / pictures;
  const precision = sum('near') / (sum('near') + wronglyNear);
  report.figure(`${name}: recall among the first six`, recall, '', '>=0.99', recall >= 0.99);
  report.figure(`${name}: mirrored copies found`, mirrored, '', '>=0.99', mirrored >= 0.99);
  report.figure(`${name}: precision of duplicates at ${NEAR_DUPLICATES}`, precision, '', '>=0.99', precision >= 0.99);
  report.figure(`${name}: recall of duplicates at ${NEAR_DUPLICATES}`, near, '', '>=0.8', near >= 0.8);
}

async function reportPictures(report: Report, name: string, items: DescribedCopies, model: ImageModel): Promise<void> {
  report.note(`${name}: ${items.count / (COPY_KINDS.length + 1)} pictures, ${COPY_KINDS.length} copies of each`);
  reportCopies(report, name, items, model);
  await reportLevels(report, name, items, items.picture, model);
}

async function run(report: Report): Promise<void> {
  const model = await imageModel(resolve(MODEL ?? join(BUILT_IN_MODELS, DEFAULT_IMAGE_MODEL)));
  const sample = await describedSample(model);
  await reportLevels(report, 'sample', sample, sample.family, model);
  await reportPictures(report, 'drawn', await describedCopies(model, drawnPictures(DRAWN)), model);
  const folder = process.env['PICTURES'] ?? FETCHED;
  if (existsSync(folder)) {
    await reportPictures(report, 'real', await describedCopies(model, await picturesOf(folder)), model);
  } else {
    report.note(
      `The folder ${folder} does not exist. Run bench/fetch-pictures, or set PICTURES to a folder of pictures.`,
    );
  }
}

export const bench: Bench = {
  name: 'likeness',
  summary: 'copies found, near duplicates and the five levels, on the sample, on drawings and on real pictures',
  run,
};
