import { readFile, rename, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { StartError } from '../common/platform/config/configuration-error';
import { modelOf, readManifest } from '../common/engine/models/model-folder';
import { LEAST_NEAR_DUPLICATES } from '../common/engine/models/model-manifest';
import type { ImageModel, Model } from '../common/engine/models/model-runtime';
import { MODEL_RUNTIMES } from '../common/engine/models/model-runtimes';
import { computeSimilarityStructure, inScratch } from '../common/engine/similarity/compute-similarity-structure';
import { NEAR_DUPLICATES } from '../common/engine/similarity/near-duplicates';
import type { SimilarityStructure } from '../common/engine/similarity/similarity-structure';
import { describePictures, type CalibrationPictures } from './calibration-pictures';
import { agreementOfCounts, pairAgreement, pairCounts, type Agreement } from './pair-agreement';
import { COPY_KINDS, LIGHT_COPIES } from './picture-copies';

const MOST_PICTURES = 400;
const GROUP = COPY_KINDS.length + 1;
const LEVELS = 5;
/** Clusters of the finest level may only contain copies of one picture. */
const PRECISE = [0.99, 0.9] as const;
/** The number of clusters of a level, relative to the previous level. */
const FEWER = 0.5;
/** The thresholds that are tried, descending. */
const COSINES = Array.from({ length: 99 }, (_, at) => (99 - at) / 100);
/** Near duplicates may only be copies of one picture; most of the copies should be among them. */
const NEAR = { precision: 0.999, recall: 0.95 } as const;

type Calibration = ImageModel['manifest']['calibration'];
type Ladder = Calibration['ladder'];

interface CalibrationOptions {
  readonly pictures?: string | undefined;
  readonly write?: boolean | undefined;
}

type Pairs = SimilarityStructure['edges'];
type Print = (line: string) => void;

/** Computes the thresholds of an image model with pictures of a site, using the code of indexing. */
export async function calibrateModel(folder: string, options: CalibrationOptions, print: Print): Promise<void> {
  const place = resolve(folder);
  const model = await imageModel(place);
  if (options.pictures === undefined) throw new StartError('Name a folder of pictures by --pictures DIR.');
  const embedding = await model.open();
  let pictures: CalibrationPictures;
  try {
    pictures = await describePictures(resolve(options.pictures), embedding, MOST_PICTURES, (done, all) => {
      if (done % 100 === 0) print(`${done} of ${all} pictures described`);
    });
  } finally {
    await embedding.close();
  }
  const before = model.manifest.calibration;
  const after = { ladder: await findLadder(pictures), nearDuplicates: await findNearDuplicates(pictures) };
  print(`${pictures.pictures} pictures, and ${COPY_KINDS.length} changed copies of each: ${COPY_KINDS.join(', ')}`);
  await printLevels('before', before, pictures, print);
  await printLevels('after', after, pictures, print);
  if (options.write === true) {
    await writeCalibration(place, after);
    print(
      `Written to ${join(place, 'manifest.json')}. Datasets that exist keep the thresholds that they were made with.`,
    );
  } else {
    const { ladder, nearDuplicates } = after;
    const fields = `"ladder": [${ladder.join(', ')}], "nearDuplicates": ${nearDuplicates}`;
    print(`For the manifest: "calibration": { ${fields} }, which --write puts there`);
  }
}

export async function imageModel(place: string): Promise<ImageModel> {
  const text = await readManifest(place);
  if (text === undefined) throw new StartError(`${place} has no manifest.json.`);
  const model: Model = await modelOf(place, text, MODEL_RUNTIMES);
  if (model.manifest.type !== 'IMAGE_ENCODING')
    throw new StartError(
      `${model.manifest.id} is a model of type ${model.manifest.type}; only IMAGE_ENCODING has a ladder.`,
    );
  return model as ImageModel;
}

async function findLadder(pictures: CalibrationPictures): Promise<Ladder> {
  const [light, all, originals] = [itemsOf(pictures, LIGHT_COPIES), itemsOf(pictures, GROUP - 1), itemsOf(pictures, 0)];
  const copies = await precisest(light, COSINES, 0, PRECISE[0]);
  const near = await precisest(
    all,
    COSINES.filter((cosine) => cosine <= copies),
    1,
    PRECISE[1],
  );
  const ladder = [copies, near];
  const families = pictures.folders.length === 0 ? undefined : Int32Array.from(pictures.folders);
  let wanted = pictures.pictures * FEWER;
  while (ladder.length < LEVELS) {
    const below = COSINES.filter((cosine) => cosine <= ladder.at(-1)!);
    const level = ladder.length;
    const tried = await clustersAt(originals, below, level);
    if (level === 2 && families !== undefined) {
      const best = tried
        .map(({ cosine, clusters }) => ({ cosine, clusters, ...pairAgreement(clusters, families) }))
        .reduce((a, b) => (b.f1 > a.f1 ? b : a));
      ladder.push(best.cosine);
      wanted = countOf(best.clusters) * FEWER;
      continue;
    }
    const found = tried.find(({ clusters }) => countOf(clusters) <= wanted) ?? tried.at(-1)!;
    ladder.push(found.cosine);
    wanted = countOf(found.clusters) * FEWER;
  }
  return ladder as unknown as Ladder;
}

/** The highest cosine that finds enough copies, or a higher one with fewer errors. */
async function findNearDuplicates(pictures: CalibrationPictures): Promise<number> {
  const items = itemsOf(pictures, GROUP - 1);
  const pairs = await pairsOf(items);
  const tried = COSINES.filter((cosine) => cosine >= LEAST_NEAR_DUPLICATES).map((cosine) => ({
    cosine,
    ...nearAgreement(pairs, cosine, items),
  }));
  const precise = tried.filter(({ precision }) => precision >= NEAR.precision);
  const found = precise.find(({ recall }) => recall >= NEAR.recall) ?? precise.at(-1);
  if (found === undefined) throw new StartError('All pictures are alike, so no threshold can separate them.');
  return found.cosine;
}

interface Items {
  readonly count: number;
  readonly dimension: number;
  readonly vectors: Float32Array;
  /** The original picture of each item. */
  readonly picture: Int32Array;
  /** The subfolder of each item; without subfolders, the picture itself. */
  readonly folder: Int32Array;
}

/** The pictures with the given number of copies. */
function itemsOf({ vectors, dimension, pictures, folders }: CalibrationPictures, copies: number): Items {
  const each = copies + 1;
  const count = pictures * each;
  const kept = new Float32Array(new SharedArrayBuffer(count * dimension * Float32Array.BYTES_PER_ELEMENT));
  for (let at = 0; at < pictures; at++) {
    const from = at * GROUP * dimension;
    kept.set(vectors.subarray(from, from + each * dimension), at * each * dimension);
  }
  const picture = Int32Array.from({ length: count }, (_, at) => Math.floor(at / each));
  const folder = folders.length === 0 ? picture : picture.map((at) => folders[at]!);
  return { count, dimension, vectors: kept, picture, folder };
}

/** Pictures of one folder may be similar, so clusters of them do not count as errors. */
function copyAgreement(clusters: Int32Array, { picture, folder }: Items): Agreement {
  const { together, clustered, related } = pairCounts(clusters, picture);
  const { together: alike } = pairCounts(clusters, folder);
  return agreementOfCounts({ together, clustered: clustered - (alike - together), related });
}

/** Pairs of an original with its copies, among its pairs with a cosine of `least` or more. Pictures of one folder may be similar. */
function nearAgreement({ first, second, cosine }: Pairs, least: number, { picture, folder }: Items): Agreement {
  let [together, clustered] = [0, 0];
  for (let pair = 0; pair < cosine.length; pair++) {
    const [one, other] = [first[pair]!, second[pair]!];
    if (cosine[pair]! < least || (one % GROUP !== 0 && other % GROUP !== 0)) continue;
    const isCopy = picture[one] === picture[other];
    if (isCopy) together += 1;
    if (isCopy || folder[one] !== folder[other]) clustered += 1;
  }
  return agreementOfCounts({ together, clustered, related: (picture.length / GROUP) * (GROUP - 1) });
}

/** Of the cosines with sufficient precision, the one that finds the most copies; otherwise the most precise one. */
async function precisest(items: Items, cosines: readonly number[], level: number, precise: number): Promise<number> {
  const tried = (await clustersAt(items, cosines, level)).map(({ cosine, clusters }) => ({
    cosine,
    ...copyAgreement(clusters, items),
  }));
  const enough = tried.filter(({ precision }) => precision >= precise);
  const [best] =
    enough.length > 0
      ? enough.sort((a, b) => b.recall - a.recall || b.cosine - a.cosine)
      : tried.sort((a, b) => b.precision - a.precision);
  if (best === undefined) throw new StartError('All pictures are alike, so no threshold can separate them.');
  return best.cosine;
}

interface Clustered {
  readonly cosine: number;
  readonly clusters: Int32Array;
}

/** Clusters at each of the descending cosines like indexing: level 0 by the original vectors, the others by smoothed vectors. */
async function clustersAt(items: Items, cosines: readonly number[], level: number): Promise<Clustered[]> {
  const clustered: Clustered[] = [];
  const atOnce = level === 0 ? 1 : LEVELS - 1;
  for (let first = 0; first < cosines.length; first += atOnce) {
    const some = cosines.slice(first, first + atOnce);
    const tried = level === 0 ? some : [1, ...some];
    const ladder = Array.from({ length: LEVELS }, (_, at) => tried[Math.min(at, tried.length - 1)]!);
    const clusters = await clustersOf(items, ladder as unknown as Ladder);
    some.forEach((cosine, at) => clustered.push({ cosine, clusters: clusters[level === 0 ? 0 : at + 1]! }));
  }
  return clustered;
}

const clustersOf = async (items: Items, ladder: Ladder): Promise<readonly Int32Array[]> =>
  (await structureOf(items, { ladder, nearDuplicates: NEAR_DUPLICATES })).clusters;

/** All pairs that any model may keep. */
const pairsOf = async (items: Items): Promise<Pairs> =>
  (await structureOf(items, { ladder: [1, 1, 1, 1, 1], nearDuplicates: LEAST_NEAR_DUPLICATES })).edges;

async function structureOf(
  { count, dimension, vectors }: Items,
  calibration: Calibration,
): Promise<SimilarityStructure> {
  const contentGroup = Int32Array.from({ length: count }, (_, item) => item);
  const threads = availableParallelism();
  const input = { count, dimension, vectors, contentGroup, ...calibration, threads, isMapped: false };
  return inScratch(input, tmpdir(), (compared) => computeSimilarityStructure(compared));
}

const countOf = (clusters: Int32Array): number => clusters.reduce((most, cluster) => Math.max(most, cluster), -1) + 1;

async function printLevels(
  name: string,
  { ladder, nearDuplicates }: Calibration,
  pictures: CalibrationPictures,
  print: Print,
): Promise<void> {
  const [light, all, originals] = [itemsOf(pictures, LIGHT_COPIES), itemsOf(pictures, GROUP - 1), itemsOf(pictures, 0)];
  const finest = copyAgreement((await clustersOf(light, ladder))[0]!, light);
  const near = copyAgreement((await clustersOf(all, ladder))[1]!, all);
  const clusters = await clustersOf(originals, ladder);
  const copies = nearAgreement(await pairsOf(all), nearDuplicates, all);
  print(`${name}: near duplicates from ${nearDuplicates}: all copies ${agreement(copies)}`);
  print(`${name}: level 0 from ${ladder[0]}: light copies ${agreement(finest)}`);
  print(`${name}: level 1 from ${ladder[1]}: all copies ${agreement(near)}`);
  for (let level = 2; level < LEVELS; level += 1) {
    const folders =
      pictures.folders.length === 0 ? '' : `, folders ${agreement(pairAgreement(clusters[level]!, pictures.folders))}`;
    print(`${name}: level ${level} from ${ladder[level]}: ${countOf(clusters[level]!)} clusters${folders}`);
  }
}

const agreement = ({ precision, recall, f1 }: Agreement): string =>
  `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${f1.toFixed(3)}`;

/** Replaces the file atomically, so that the service never reads a partial manifest. */
async function writeCalibration(place: string, calibration: Calibration): Promise<void> {
  const path = join(place, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { readonly calibration?: object };
  const changed = { ...manifest, calibration: { ...manifest.calibration, ...calibration } };
  await writeFile(`${path}.new`, `${JSON.stringify(changed, null, 2)}\n`);
  await rename(`${path}.new`, path);
}
