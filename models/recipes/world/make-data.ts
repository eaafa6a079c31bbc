import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import sharp from 'sharp';
import { resizeAsPillow } from '../../../src/common/engine/models/resizing/resize-as-pillow';
import type { Pixels } from '../../../src/common/engine/models/picture-model';
import { renderPicture } from '../../../sample/picture';
import type { Treatment } from '../../../sample/sample-plan';
import { SeededRandom } from '../../../sample/seeded-random';
import { drawSampleOddity, drawSampleScene } from './sample-scenes';
import { describingTexts, factsOf, type KnownObject, type KnownScene } from './scene';
import { drawWorldScene } from './world-scenes';

const SIDE = 128;
const BILINEAR = 2;
const TEXTS = 5;
const OBJECTS = 2;
const SHARD = 500;
const PARALLEL = 4;

interface Taken {
  readonly scene: KnownScene;
  readonly treatment: Treatment;
  readonly pixels: Pixels;
  /** The visible part of the drawing, in its pixels. */
  readonly window: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

function drawScene(random: SeededRandom): KnownScene {
  const lot = random.next();
  if (lot < 0.04) return drawSampleOddity(random);
  return lot < 0.64 ? drawSampleScene(random) : drawWorldScene(random);
}

function chooseTreatment(random: SeededRandom): Treatment {
  const lot = random.next();
  if (lot > 0.12) return 'none';
  return lot < 0.06 ? 'blurred' : lot < 0.09 ? 'dark' : 'bright';
}

/** Renders and saves the scene as the sample does; some scenes are edited afterwards. */
async function take(seed: string): Promise<Taken> {
  const random = new SeededRandom(seed);
  const scene = drawScene(random);
  const treatment = chooseTreatment(random);
  const extension = random.pick(['.jpg', '.jpg', '.jpg', '.png', '.webp']);
  const picture = sharp(await renderPicture(scene.drawing, treatment, extension, seed));
  const { width, height } = scene.drawing;
  const edges = Array.from({ length: 4 }, () => (random.chance(0.4) ? random.between(0, 0.04) : 0));
  const [left, top] = [Math.round(width * edges[0]!), Math.round(height * edges[1]!)];
  const window = {
    left,
    top,
    width: width - left - Math.round(width * edges[2]!),
    height: height - top - Math.round(height * edges[3]!),
  };
  picture.extract(window);
  if (treatment === 'none' && random.chance(0.5)) picture.linear(random.between(0.75, 1.2), random.between(-8, 8));
  const edited = random.chance(0.4)
    ? sharp(await picture.jpeg({ quality: random.integer(30, 90) }).toBuffer())
    : picture;
  const { data, info } = await edited.removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return { scene, treatment, window, pixels: { data, width: info.width, height: info.height } };
}

const asInput = (pixels: Pixels): Uint8Array =>
  resizeAsPillow(pixels, { width: SIDE, height: SIDE }, BILINEAR, { left: 0, top: 0, width: SIDE, height: SIDE }).data;

/** Left, top, right, bottom as fractions of the visible part of the drawing. */
function boxOf(object: KnownObject, { window }: Taken): [number, number, number, number] {
  const edge = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1e4) / 1e4;
  return [
    edge((object.x - window.left) / window.width),
    edge((object.y - window.top) / window.height),
    edge((object.x + object.width - window.left) / window.width),
    edge((object.y + object.height - window.top) / window.height),
  ];
}

/** A crop around an object, slightly larger or smaller than its box. */
function cutOut(pixels: Pixels, box: readonly number[], random: SeededRandom): Pixels {
  const [left, top, right, bottom] = box as [number, number, number, number];
  const [wide, tall] = [right - left, bottom - top];
  const at = (value: number, size: number): number => Math.round(Math.min(1, Math.max(0, value)) * size);
  const x = at(left - wide * random.between(-0.04, 0.15), pixels.width - 8);
  const y = at(top - tall * random.between(-0.04, 0.15), pixels.height - 8);
  const width = Math.max(8, at(right + wide * random.between(-0.04, 0.15), pixels.width) - x);
  const height = Math.max(8, at(bottom + tall * random.between(-0.04, 0.15), pixels.height) - y);
  const data = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * pixels.width + x) * 3;
    data.set(pixels.data.subarray(from, from + width * 3), row * width * 3);
  }
  return { data, width, height };
}

class Shard {
  private readonly files: readonly WriteStream[];

  constructor(folder: string, number: number) {
    const name = String(number).padStart(3, '0');
    this.files = ['scenes', 'objects'].flatMap((kind) =>
      ['bin', 'jsonl'].map((ending) => createWriteStream(join(folder, `${kind}-${name}.${ending}`))),
    );
  }

  async add(taken: Taken, random: SeededRandom): Promise<void> {
    const { scene, pixels, treatment } = taken;
    const boxes = scene.objects.map((object) => ({ label: object.label, box: boxOf(object, taken), object }));
    const { caption, labels } = scene;
    const texts = describingTexts(scene, random, TEXTS);
    const known = boxes.map(({ label, box }) => ({ label, box }));
    await this.write(0, asInput(pixels), { caption, labels, facts: factsOf(scene), texts, boxes: known, treatment });
    if (treatment === 'dark' || treatment === 'bright') return;
    const named = boxes.filter(({ object }) => object.phrase !== null);
    for (const { box, object } of random.shuffled(named).slice(0, OBJECTS))
      await this.write(2, asInput(cutOut(pixels, box, random)), { caption: object.phrase });
  }

  async close(): Promise<void> {
    for (const file of this.files) file.end();
    await Promise.all(this.files.map((file) => finished(file)));
  }

  private async write(first: 0 | 2, picture: Uint8Array, truth: object): Promise<void> {
    const [pictures, truths] = [this.files[first]!, this.files[first + 1]!];
    truths.write(`${JSON.stringify(truth)}\n`);
    if (!pictures.write(picture)) await once(pictures, 'drain');
  }
}

/** Writes scenes at the input size of the models with their annotations, in shards. The same seed and count give the same files. */
async function makeData(seed: string, count: number, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let first = 0; first < count; first += SHARD) {
    const shard = new Shard(folder, first / SHARD);
    const last = Math.min(count, first + SHARD);
    for (let at = first; at < last; at += PARALLEL) {
      const names = Array.from({ length: Math.min(PARALLEL, last - at) }, (_, more) => `world ${seed} ${at + more}`);
      const taken = await Promise.all(names.map((name) => take(name)));
      for (const [more, each] of taken.entries()) await shard.add(each, new SeededRandom(`texts ${names[more]!}`));
    }
    await shard.close();
    console.log(`${last} of ${count}`);
  }
}

const [seed, count, folder] = process.argv.slice(2);
void makeData(seed!, Number(count), folder!);
