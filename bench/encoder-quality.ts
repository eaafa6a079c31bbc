import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { BUILT_IN_MODELS } from '../src/common/engine/models/built-in-models';
import type { ImageModel } from '../src/common/engine/models/model-runtime';
import { DEFAULT_IMAGE_MODEL } from '../src/common/platform/config/runtime-settings.schema';
import { errorMessage } from '../src/common/platform/errors/error-code';
import { imageModel } from '../src/model-tools/calibrate-model';
import { described } from '../src/model-tools/calibration-pictures';
import type { Bench, Report } from './bench';
import {
  CHANGES,
  DRAWING_SEED,
  drawings,
  drawnPhotographs,
  FEWEST,
  GROUP,
  PHOTOGRAPH_SEED,
  realPictures,
  withChanges,
  type ChangedPictures,
} from './support/changed-pictures';
import { askFastdup, type FastdupVectors } from './support/fastdup';
import { perceptualHash } from './support/perceptual-hash';
import { retrievalQuality, type Questions, type RetrievalQuality } from './support/retrieval-quality';

const PER_SET = Number(process.env['PER_SET'] ?? 200);
const MODEL = process.env['MODEL'];
const FASTDUP = process.env['FASTDUP_PYTHON'];
const CACHE = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
/** Filled by `bench/fetch-pictures`. */
const FETCHED = join(CACHE, 'dataset-media-service', 'real-pictures', 'pictures');
const ROTATIONS = CHANGES.filter((change) => change.includes('rotation'));
const NEAR = CHANGES.filter((change) => change !== 'mirror' && !ROTATIONS.includes(change));

type Similarities = Questions['similarities'];

interface Measured extends RetrievalQuality {
  readonly name: string;
}

function byCosine(vectors: Float32Array, dimension: number): Similarities {
  const count = vectors.length / dimension;
  return (item) => {
    const own = vectors.subarray(item * dimension, (item + 1) * dimension);
    const found = new Float32Array(count);
    for (let other = 0; other < count; other++) {
      let dot = 0;
      for (let d = 0, at = other * dimension; d < dimension; d++, at++) dot += own[d]! * vectors[at]!;
      found[other] = dot;
    }
    return found;
  };
}

async function byModel(model: ImageModel, { pictures, read }: ChangedPictures): Promise<Similarities> {
  const embedding = await model.open();
  try {
    const { dimension } = embedding;
    const vectors = new Float32Array(pictures * GROUP * dimension);
    for (let item = 0; item < pictures * GROUP; item++)
      vectors.set(await described(await read(item), embedding), item * dimension);
    return byCosine(vectors, dimension);
  } finally {
    await embedding.close();
  }
}

/** The similarity is the share of equal bits. */
async function byHash({ pictures, read }: ChangedPictures): Promise<Similarities> {
  const signs = new Float32Array(pictures * GROUP * 64);
  for (let item = 0; item < pictures * GROUP; item++) signs.set(await perceptualHash(await read(item)), item * 64);
  const cosines = byCosine(
    signs.map((bit) => 2 * bit - 1),
    64,
  );
  return (item) => cosines(item).map((dot) => (dot + 64) / 128);
}

async function measured(models: readonly ImageModel[], changed: ChangedPictures, report: Report): Promise<Measured[]> {
  const { pictures, family, folder } = changed;
  const all: Measured[] = [];
  const add = (name: string, similarities: Similarities): void => {
    all.push({ name, ...retrievalQuality({ pictures, group: GROUP, family, similarities }) });
  };
  for (const model of models) add(model.manifest.id, await byModel(model, changed));
  add('pHash', await byHash(changed));
  const peer = FASTDUP === undefined ? undefined : fastdupVectors(FASTDUP, folder, report);
  if (peer !== undefined) add(`fastdup ${peer.version}`, byCosine(peer.vectors, peer.dimension));
  return all;
}

function fastdupVectors(python: string, folder: string, report: Report): FastdupVectors | undefined {
  try {
    return askFastdup(python, folder);
  } catch (error) {
    report.note(`Not compared with fastdup: ${errorMessage(error)}`);
    return undefined;
  }
}

const shown = (value: number): string => value.toFixed(4);

function meanOf(shares: readonly number[], kinds: readonly string[]): number {
  return kinds.reduce((sum, kind) => sum + shares[CHANGES.indexOf(kind)]!, 0) / kinds.length;
}

/** The first one must be better than all others, or perfect. */
function reportAhead(report: Report, metric: string, all: readonly Measured[], of: (each: Measured) => number): void {
  const [ours, ...peers] = all.map(of);
  const best = Math.max(...peers);
  const reach = best === 1 ? '>=1' : `>${best.toFixed(6)}`;
  report.figure(metric, ours!, '', reach, best === 1 ? ours! >= 1 : ours! > best);
}

function reportQuality(report: Report, name: string, all: readonly Measured[]): void {
  report.table(
    CHANGES.map((change, kind) => ({
      [name]: change,
      ...Object.fromEntries(all.map((each) => [`${each.name} R@1`, shown(each.first[kind]!)])),
      ...Object.fromEntries(all.map((each) => [`${each.name} R@5`, shown(each.amongFive[kind]!)])),
    })),
  );
  report.table(
    all.map((each) => ({
      [name]: each.name,
      'copies mAP': shown(each.copies.map),
      'copies F1': `${shown(each.copies.f1)} at ${each.copies.cut.toFixed(3)}`,
      ...(each.families && {
        'families mAP': shown(each.families.map),
        'families F1': `${shown(each.families.f1)} at ${each.families.cut.toFixed(3)}`,
      }),
    })),
  );
  reportAhead(report, `${name}: R@1 of near duplicates`, all, ({ first }) => meanOf(first, NEAR));
  reportAhead(report, `${name}: R@1 of mirrored copies`, all, ({ first }) => meanOf(first, ['mirror']));
  reportAhead(report, `${name}: R@1 of rotated copies`, all, ({ first }) => meanOf(first, ROTATIONS));
  reportAhead(report, `${name}: mAP of copies`, all, ({ copies }) => copies.map);
  reportAhead(report, `${name}: pair F1 of copies`, all, ({ copies }) => copies.f1);
  if (all[0]?.families === undefined) return;
  reportAhead(report, `${name}: mAP of families`, all, ({ families }) => families!.map);
  reportAhead(report, `${name}: pair F1 of families`, all, ({ families }) => families!.f1);
}

async function run(report: Report): Promise<void> {
  if (!(PER_SET >= FEWEST))
    throw new Error(`PER_SET is ${PER_SET}. Set it to ${FEWEST} or more, for two drawings of each family.`);
  const builtIn = await imageModel(join(BUILT_IN_MODELS, DEFAULT_IMAGE_MODEL));
  const models = MODEL === undefined ? [builtIn] : [await imageModel(resolve(MODEL)), builtIn];
  if (FASTDUP === undefined)
    report.note('Not compared with fastdup: set FASTDUP_PYTHON to the path of a Python with the package fastdup.');
  const sets = [drawnPhotographs(PER_SET), drawings(PER_SET)];
  report.note(`drawn photographs of seed ${PHOTOGRAPH_SEED} and drawings of seed ${DRAWING_SEED}, ${PER_SET} each`);
  const folder = process.env['PICTURES'] ?? FETCHED;
  if (existsSync(folder)) sets.push(await realPictures(folder));
  else
    report.note(
      `The folder ${folder} does not exist. Run bench/fetch-pictures, or set PICTURES to a folder of pictures.`,
    );
  for (const set of sets) {
    report.note(`${set.name}: ${set.pictures} pictures, ${CHANGES.length} copies of each`);
    reportQuality(report, set.name, await withChanges(set, (changed) => measured(models, changed, report)));
  }
}

export const bench: Bench = {
  name: 'encoder-quality',
  summary:
    'near duplicates, mirrored and rotated copies and families that an image model finds, beside a perceptual hash and fastdup',
  run,
};
