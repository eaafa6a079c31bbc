import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ModelRegistry } from '../src/common/engine/models/model-registry';
import type { ImageModel } from '../src/common/engine/models/model-runtime';
import { ClassTexts } from '../src/common/engine/models/texts/class-texts';
import { readConfiguration } from '../src/common/platform/config/configuration';
import { PREFERRED_MODELS } from '../src/common/platform/config/runtime-settings.schema';
import { imageModel } from '../src/model-tools/calibrate-model';
import { pairCounts } from '../src/model-tools/pair-agreement';
import { Random } from '../test/support/random';
import { structureOfVectors } from '../test/support/structures';
import type { Bench, Report } from './bench';
import { swapped } from './support/labelled-sets';
import { noteIfNotCompared, reportMislabels } from './support/mislabels';
import { photographsByClass, type PhotographsByClass } from './support/photographs-by-class';

const FOLDER = process.env['PHOTOGRAPHS'];
const MODEL = process.env['MODEL'];
const THREADS = 2;
/** Few labels are exchanged in a small folder, so several choices of them are judged. */
const EXCHANGES = 5;
const [FEWEST, MOST] = [8, 40];
const NEAREST = 20;
/** What people ask for, where that is not the name of the folder. */
const TEXTS: Readonly<Record<string, string>> = {
  longsleeve: 'a sweater',
  outwear: 'a jacket or coat',
  pants: 'trousers',
};

async function measuredModel(): Promise<ImageModel> {
  if (MODEL !== undefined) return imageModel(resolve(MODEL));
  const { modelsDir, dataDir } = readConfiguration();
  const registry = await ModelRegistry.load(modelsDir, { dataDir });
  return registry.get(
    'IMAGE_ENCODING',
    PREFERRED_MODELS.IMAGE_MODEL.find((id) => registry.has(id))!,
  );
}

/** How often the nearest other picture is of the same class. */
function reportNearest(report: Report, { count, dimension, vectors, classOf }: PhotographsByClass): void {
  const vectorOf = (item: number): Float32Array => vectors.subarray(item * dimension, (item + 1) * dimension);
  let same = 0;
  for (let item = 0; item < count; item++) {
    const own = vectorOf(item);
    let [nearest, most] = [-1, -Infinity];
    for (let other = 0; other < count; other++) {
      const cosine = other === item ? -Infinity : vectorOf(other).reduce((sum, value, at) => sum + value * own[at]!, 0);
      if (cosine > most) [nearest, most] = [other, cosine];
    }
    if (classOf[nearest] === classOf[item]) same += 1;
  }
  report.figure('nearest other photograph of the same class', same / count, '', '>=0.8', same / count >= 0.8);
}

/** Agreement of two groupings: 1 if they are the same, about 0 by chance. */
function adjustedRand(clusters: Int32Array, classes: Int32Array): number {
  const { together, clustered, related } = pairCounts(clusters, classes);
  const byChance = (clustered * related) / ((classes.length * (classes.length - 1)) / 2);
  return (together - byChance) / ((clustered + related) / 2 - byChance);
}

function sharedClusters(clusters: Int32Array): number {
  const sizes = new Map<number, number>();
  for (const cluster of clusters) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  return [...sizes.values()].filter((size) => size > 1).length;
}

async function reportLevels(report: Report, pictures: PhotographsByClass, model: ImageModel): Promise<void> {
  const { ladder } = model.manifest.calibration;
  const contentGroup = Int32Array.from({ length: pictures.count }, (_, item) => item);
  const { clusters } = await structureOfVectors({ ...pictures, contentGroup, ladder, threads: THREADS });
  const levels = clusters.map((level) => ({
    rand: adjustedRand(level, pictures.classOf),
    shared: sharedClusters(level),
  }));
  report.table(
    levels.map(({ rand, shared }, level) => ({
      level,
      cut: ladder[level]!,
      'adjusted Rand': rand.toFixed(3),
      'clusters of more than one': shared,
    })),
  );
  const best = Math.max(...levels.map(({ rand }) => rand));
  report.figure('adjusted Rand of the best level', best, '', '>=0.4', best >= 0.4);
  const handy = levels.filter(({ shared }) => shared >= FEWEST && shared <= MOST).length;
  report.figure(`levels with ${FEWEST} to ${MOST} clusters of more than one`, handy, '', '>=1', handy >= 1);
}

/** Puts photographs under the name of another class, five in a hundred. */
async function reportExchanged(report: Report, pictures: PhotographsByClass): Promise<void> {
  noteIfNotCompared(report);
  const labels = [...pictures.classOf].map((of) => [pictures.classes[of]!]);
  let sum = 0;
  for (let seed = 1; seed <= EXCHANGES; seed++) {
    const name = `labels exchanged, choice ${seed}`;
    sum += await reportMislabels(report, { name, ...pictures, ...swapped(labels, new Random(seed)) });
  }
  report.figure('F1 of exchanged labels', sum / EXCHANGES, '', '>=0.75', sum / EXCHANGES >= 0.75);
}

/** How many of the nearest photographs to a text are of its class. */
async function reportTexts(report: Report, pictures: PhotographsByClass, model: ImageModel): Promise<void> {
  if (model.manifest.texts === undefined) {
    report.note('Texts are not measured: the model compares none with pictures.');
    return;
  }
  const { count, dimension, vectors, classes, classOf } = pictures;
  const texts = await ClassTexts.open(model.folder, model.manifest);
  const rows = classes.map((name, of) => {
    const text = TEXTS[name] ?? name;
    const { vector, understood } = texts.describe(text);
    const cosineOf = (item: number): number =>
      vector!.reduce((sum, value, at) => sum + value * vectors[item * dimension + at]!, 0);
    const nearest = Array.from({ length: vector === null ? 0 : count }, (_, item) => ({ item, cosine: cosineOf(item) }))
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, NEAREST);
    const precision = nearest.filter(({ item }) => classOf[item] === of).length / NEAREST;
    return { text, 'understood as': understood.flatMap((each) => each.classes).join(', '), precision };
  });
  report.table(rows);
  const mean = rows.reduce((sum, { precision }) => sum + precision, 0) / rows.length;
  report.figure(`texts: share of their class among the first ${NEAREST}`, mean, '', '>=0.7', mean >= 0.7);
}

async function run(report: Report): Promise<void> {
  if (FOLDER === undefined || !existsSync(FOLDER)) {
    report.note('Not measured: set PHOTOGRAPHS to a folder of photographs with a subfolder for each class.');
    return;
  }
  const model = await measuredModel();
  const pictures = await photographsByClass(FOLDER, model);
  report.note(`${model.manifest.id}: ${pictures.count} photographs of ${pictures.classes.length} classes`);
  reportNearest(report, pictures);
  await reportLevels(report, pictures, model);
  await reportTexts(report, pictures, model);
  await reportExchanged(report, pictures);
}

export const bench: Bench = {
  name: 'meaning',
  summary: 'photographs of classes: nearest ones, clusters, texts and exchanged labels, by the best installed model',
  run,
};
