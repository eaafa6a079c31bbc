import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { EnrichmentType } from '../../../src/common/engine/models/model-manifest';
import { ModelRegistry } from '../../../src/common/engine/models/model-registry';
import type {
  LocalPictureModel,
  PictureFindings,
  PictureModelType,
  TextSide,
} from '../../../src/common/engine/models/picture-model';
import type { Pixels } from '../../../src/common/engine/models/picture-model';
import { drawOddity } from '../../../sample/families/oddities';
import { SAMPLE_SEED } from '../../../sample/make-sample';
import { editPicture, renderPicture } from '../../../sample/picture';
import { extensionOf, planSample, type DrawnPlan } from '../../../sample/sample-plan';
import { SeededRandom } from '../../../sample/seeded-random';
import { cosineOf, scoreCaptions, scoreLabels, scoreObjects, scoreRetrieval, type TrueObject } from './measures';
import { knownSampleScene, visibleCaption } from './sample-scenes';

const SIDE = 128;

interface Known {
  readonly pixels: () => Promise<Pixels>;
  readonly caption: string;
  readonly labels: readonly string[];
  /** Null if an edit moved the boxes by an unknown amount. */
  readonly objects: readonly TrueObject[] | null;
  /** True if the picture was made too dark or too bright, or was blurred. */
  readonly isSpoiled: boolean;
}

const rounded = (value: unknown): unknown => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value);

async function decoded(file: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** The pictures of the sample, none of which was used for training. */
function sample(): Known[] {
  const plan = planSample(SAMPLE_SEED);
  const rendered = ({ path, family, treatment, seed }: DrawnPlan): Promise<Buffer> =>
    renderPicture(family.draw(new SeededRandom(seed)), treatment, extensionOf(path), seed);
  const truthOf = (drawing: ReturnType<typeof drawOddity>): Omit<Known, 'pixels' | 'isSpoiled'> => ({
    caption: visibleCaption(drawing.caption),
    labels: drawing.labels,
    objects: knownSampleScene(drawing).objects.map(({ label, x, y, width, height }) => ({
      label,
      box: [x / drawing.width, y / drawing.height, (x + width) / drawing.width, (y + height) / drawing.height],
    })),
  });
  const drawn = plan.drawn.map((each): Known => {
    const truth = truthOf(each.family.draw(new SeededRandom(each.seed)));
    return { ...truth, isSpoiled: each.treatment !== 'none', pixels: async () => decoded(await rendered(each)) };
  });
  const odd = plan.oddities.map(({ index, seed, path }): Known => {
    const draw = (): ReturnType<typeof drawOddity> => drawOddity(index, new SeededRandom(seed));
    const pixels = async (): Promise<Pixels> => decoded(await renderPicture(draw(), 'none', extensionOf(path), seed));
    return { ...truthOf(draw()), isSpoiled: false, pixels };
  });
  const edited = plan.edits.map(({ original, edit }): Known => {
    const truth = truthOf(original.family.draw(new SeededRandom(original.seed)));
    const pixels = async (): Promise<Pixels> =>
      decoded(await editPicture(await rendered(original), edit, original.seed));
    return { ...truth, objects: edit === 'cropped' ? null : truth.objects, isSpoiled: false, pixels };
  });
  return [...drawn, ...odd, ...edited];
}

interface Written {
  readonly caption: string;
  readonly labels: readonly string[];
  readonly boxes: readonly TrueObject[];
  readonly treatment: string;
}

/** Pictures of scenes or of objects, written by make-data.ts. */
async function heldOut(folder: string, kind: 'scenes' | 'objects', most: number): Promise<Known[]> {
  const shards = (await readdir(folder)).filter((name) => name.startsWith(kind) && name.endsWith('.jsonl')).sort();
  const known: Known[] = [];
  for (const shard of shards) {
    const lines = (await readFile(join(folder, shard), 'utf8')).trim().split('\n');
    const bytes = await readFile(join(folder, shard.replace('.jsonl', '.bin')));
    for (const [at, line] of lines.entries()) {
      const { caption, labels = [], boxes = [], treatment = 'none' } = JSON.parse(line) as Partial<Written>;
      const data = bytes.subarray(at * SIDE * SIDE * 3, (at + 1) * SIDE * SIDE * 3);
      const pixels = (): Promise<Pixels> => Promise.resolve({ data, width: SIDE, height: SIDE });
      known.push({ caption: caption!, labels, objects: boxes, isSpoiled: treatment !== 'none', pixels });
    }
  }
  return known.slice(0, most);
}

type Opened<Type extends PictureModelType> = LocalPictureModel<Type> & Partial<TextSide>;

async function openModel<Type extends PictureModelType>(
  registry: ModelRegistry,
  type: Type & EnrichmentType,
): Promise<Opened<Type>> {
  const id = registry.idsOf(type).find((each) => each.startsWith('drawn-world_'))!;
  return (await registry.get(type, id).open()) as unknown as Opened<Type>;
}

/** Processes one picture at a time on one thread, like a compute child. */
async function findings<Type extends PictureModelType>(
  model: Opened<Type>,
  pictures: readonly Known[],
): Promise<{ found: PictureFindings[Type][]; each: number }> {
  const found: PictureFindings[Type][] = [];
  let took = 0;
  for (const { pixels } of pictures) {
    const picture = await pixels();
    const started = performance.now();
    found.push(...(await model.apply([picture], {})));
    took += performance.now() - started;
  }
  return { found, each: 1000 / (took / pictures.length) };
}

async function report(name: string, registry: ModelRegistry, pictures: readonly Known[]): Promise<void> {
  const print = (what: string, values: object): void =>
    console.log(
      `${name} (${pictures.length}), ${what}:`,
      JSON.stringify(values, (_, value: unknown) => rounded(value)),
    );
  const captioner = await openModel(registry, 'CAPTION_IMAGES');
  const captions = await findings(captioner, pictures);
  const pairs = captions.found.map(({ caption }, at) => [caption, pictures[at]!.caption] as const);
  print('captions', { ...scoreCaptions(pairs), perSecond: captions.each });
  for (const [found, truth] of pairs.filter(([one, other]) => one !== other).slice(0, 8))
    console.log(`  ${found} | ${truth}`);
  await captioner.close();

  const tagger = await openModel(registry, 'IMAGE_TAGGING');
  const tags = await findings(tagger, pictures);
  print('labels', {
    ...scoreLabels(
      tags.found.map(({ labels }, at) => [labels.map(({ label }) => label), pictures[at]!.labels] as const),
    ),
    perSecond: tags.each,
  });
  await tagger.close();

  const detector = await openModel(registry, 'OBJECT_DETECTION');
  const boxed = pictures.filter(({ objects }) => objects !== null);
  const objects = await findings(detector, boxed);
  const both = objects.found.map(({ objects: found }, at) => ({ found, truth: boxed[at]!.objects! }));
  print('objects', { mAP50: scoreObjects(both), perSecond: objects.each });
  await detector.close();
  await reportRetrieval(registry, pictures, print);
}

async function reportRetrieval(
  registry: ModelRegistry,
  pictures: readonly Known[],
  print: (what: string, values: object) => void,
): Promise<void> {
  const encoder = await openModel(registry, 'MULTIMODEL_IMAGE_ENCODING');
  const encoded = await findings(encoder, pictures);
  const items = encoded.found.map(({ embedding }, at) => ({ name: pictures[at]!.caption, vector: embedding }));
  const captions = [...new Set(pictures.map(({ caption }) => caption))];
  const vectors = await encoder.embedTexts!(captions, AbortSignal.timeout(60_000));
  const texts = captions.map((name, at) => ({ name, vector: vectors[at]! }));
  const cosines = items.flatMap((item) =>
    texts.map((text) => ({ isMatch: item.name === text.name, cosine: cosineOf(item.vector, text.vector) })),
  );
  const mean = (isMatch: boolean): number => {
    const own = cosines.filter((each) => each.isMatch === isMatch);
    return own.reduce((sum, { cosine }) => sum + cosine, 0) / own.length;
  };
  print('retrieval', {
    cosines: { unrelated: mean(false), matching: mean(true) },
    textToImage: scoreRetrieval(texts, items),
    imageToText: scoreRetrieval(items, texts),
    perSecond: encoded.each,
  });
  await encoder.close();
}

async function main(): Promise<void> {
  const [folder, most = '1000', objectsMost = '500'] = process.argv.slice(2);
  const registry = await ModelRegistry.load(null);
  for (const { folder: broken, reason } of registry.broken()) console.log(`${broken}: ${reason}`);
  for (const { folder: of, manifest } of registry
    .all()
    .filter(({ manifest: { id } }) => id.startsWith('drawn-world_'))) {
    const sizes = await Promise.all((await readdir(of)).map(async (file) => (await stat(join(of, file))).size));
    console.log(`${manifest.id}: ${(sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(2)} MB`);
  }
  const whole = sample();
  await report(
    'sample, clear',
    registry,
    whole.filter(({ isSpoiled }) => !isSpoiled),
  );
  await report(
    'sample, blurred, dark or bright',
    registry,
    whole.filter(({ isSpoiled }) => isSpoiled),
  );
  const held = await heldOut(folder!, 'scenes', Number(most));
  await report(
    'held out',
    registry,
    held.filter(({ isSpoiled }) => !isSpoiled),
  );
  const objects = await heldOut(folder!, 'objects', Number(objectsMost));
  const captioner = await openModel(registry, 'CAPTION_OBJECTS');
  const { found, each } = await findings(captioner, objects);
  const score = scoreCaptions(found.map(({ caption }, at) => [caption, objects[at]!.caption] as const));
  console.log(
    `held out objects (${objects.length}):`,
    JSON.stringify({ ...score, perSecond: each }, (_, value: unknown) => rounded(value)),
  );
  await captioner.close();
}

void main();
