import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { openImage } from '../src/common/engine/compute/decode/open-image';
import type { Box } from '../src/common/engine/media-table/media-row';
import { modelOf, readManifest } from '../src/common/engine/models/model-folder';
import { MODEL_RUNTIMES } from '../src/common/engine/models/model-runtimes';
import type { FoundObject, LocalPictureModel, Pixels } from '../src/common/engine/models/picture-model';
import { resizeAsOpenCv } from '../src/common/engine/models/resizing/resize-as-opencv';
import { readConfiguration } from '../src/common/platform/config/configuration';
import type { Bench, Report } from './bench';

const LIST = 'cut-out-things';
const CACHE = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
/** Filled by `bench/fetch-pictures cut-out-things`. */
const FETCHED = join(CACHE, 'dataset-media-service', LIST);
const DETECTOR = 'photographs_detector_v00';
const CUTS = [0.2, 0.25, 0.3, 0.35, 0.4, 0.5];
/** What the package does with the boxes of its model, whatever their labels. */
const PACKAGE = { side: 512, most: 100, iou: 0.4 };
const LOWEST = 0.02;
/** As COCO does it: a box is right from this intersection over union, and precision is read at so many recalls. */
const RIGHT = 0.5;
const RECALLS = 101;

interface Thing {
  readonly label: string;
  readonly pixels: Pixels;
  readonly box: Box;
}

/** Photographs of one thing each, without their background. */
async function things(longestSide: number): Promise<Thing[]> {
  const lines = (await readFile(join(FETCHED, 'list.txt'), 'utf8')).trim().split('\n');
  return Promise.all(
    lines.map(async (line) => {
      const [name, path, ...label] = line.split(' ');
      const bytes = await readFile(join(FETCHED, 'pictures', `${name}-${path!.replaceAll('/', '-')}`));
      const image = await openImage({ bytes, format: 'png', swapRedBlueForTiffHeic: false });
      return { label: label.join(' '), pixels: await image.pixels(longestSide), box: await opaquePart(bytes) };
    }),
  );
}

async function opaquePart(bytes: Buffer): Promise<Box> {
  const { data, info } = await sharp(bytes).ensureAlpha().extractChannel(3).raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (const [at, alpha] of data.entries()) {
    if (alpha < 128) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
  }
  return { x: left / width, y: top / height, width: (right - left) / width, height: (bottom - top) / height };
}

type Detector = LocalPictureModel<'OBJECT_DETECTION'>;

async function openedDetector(changes: object): Promise<Detector> {
  const folder = resolve(process.env['MODEL'] ?? join(readConfiguration().dataDir, 'models', DETECTOR));
  const text = await readManifest(folder);
  if (text === undefined)
    throw new Error(`${folder} has no model. Run npm run models -- install ${DETECTOR}, or set MODEL to its folder.`);
  const manifest = JSON.stringify({ ...(JSON.parse(text) as object), ...changes });
  return (await (await modelOf(folder, manifest, MODEL_RUNTIMES)).open()) as Detector;
}

async function foundIn(pictures: readonly Pixels[], changes: object): Promise<(readonly FoundObject[])[]> {
  const detector = await openedDetector(changes);
  const findings = await detector.apply(pictures, {});
  await detector.close();
  return findings.map(({ objects }) => objects);
}

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const common = Math.max(0, width) * Math.max(0, height);
  return common / (a.width * a.height + b.width * b.height - common);
}

/** The surest hundred, of which none overlaps with a surer one. */
function asThePackage(objects: readonly FoundObject[]): FoundObject[] {
  const kept: FoundObject[] = [];
  for (const object of objects.slice(0, PACKAGE.most))
    if (kept.every(({ box }) => overlap(box, object.box) <= PACKAGE.iou)) kept.push(object);
  return kept;
}

/** The mean over the labels of the average precision. */
function meanPrecision(of: readonly Thing[], found: readonly (readonly FoundObject[])[]): number {
  const labels = [...new Set(of.map(({ label }) => label))];
  const each = labels.map((label) => averagePrecision(of, found, label));
  return each.reduce((sum, precision) => sum + precision, 0) / labels.length;
}

function averagePrecision(of: readonly Thing[], found: readonly (readonly FoundObject[])[], label: string): number {
  const boxes = found.flatMap((objects, picture) =>
    objects.filter((object) => object.label === label).map(({ confidence, box }) => ({ confidence, box, picture })),
  );
  boxes.sort((a, b) => b.confidence - a.confidence);
  const count = of.filter((thing) => thing.label === label).length;
  const hit = new Set<number>();
  const best = new Float64Array(RECALLS);
  for (const [at, { box, picture }] of boxes.entries()) {
    const thing = of[picture]!;
    if (thing.label !== label || hit.has(picture) || overlap(thing.box, box) < RIGHT) continue;
    hit.add(picture);
    const reached = Math.floor((hit.size / count) * (RECALLS - 1) + 1e-9);
    for (let recall = 0; recall <= reached; recall++) best[recall] = Math.max(best[recall]!, hit.size / (at + 1));
  }
  return best.reduce((sum, precision) => sum + precision, 0) / RECALLS;
}

/** Each label counts once for a picture. */
function presence(of: readonly Thing[], found: readonly (readonly FoundObject[])[], cut: number) {
  let [right, all] = [0, 0];
  for (const [picture, objects] of found.entries()) {
    const labels = new Set(objects.filter(({ confidence }) => confidence > cut).map(({ label }) => label));
    all += labels.size;
    if (labels.has(of[picture]!.label)) right += 1;
  }
  return { cut, 'labels that are right': (right / all).toFixed(3), 'things found': (right / of.length).toFixed(3) };
}

async function run(report: Report): Promise<void> {
  if (!existsSync(FETCHED)) throw new Error(`The folder ${FETCHED} does not exist. Run bench/fetch-pictures ${LIST}.`);
  const detector = await openedDetector({});
  const of = await things(detector.longestSide);
  await detector.close();
  const pictures = of.map(({ pixels }) => pixels);
  const begun = process.cpuUsage();
  const found = await foundIn(pictures, { threshold: LOWEST });
  const { user, system } = process.cpuUsage(begun);
  report.note(`${of.length} pictures, ${Math.round((user + system) / 1000 / of.length)} ms of processor time each`);
  report.table(CUTS.map((cut) => presence(of, found, cut)));
  const stretched = pictures.map((picture) => resizeAsOpenCv(picture, PACKAGE.side, PACKAGE.side));
  const ofPackage = (await foundIn(stretched, { threshold: LOWEST, iou: 1 })).map(asThePackage);
  const [own, peer] = [meanPrecision(of, found), meanPrecision(of, ofPackage)];
  report.note(
    `mAP at an intersection over union of ${RIGHT}, as the package prepares and reads pictures: ${peer.toFixed(3)}`,
  );
  report.figure(`mAP at ${RIGHT}`, own, '', `>=${peer.toFixed(3)}`, own >= peer);
}

export const bench: Bench = {
  name: 'detection',
  summary: 'things that the detector of photographs finds, beside the decoding of its package',
  run,
};
