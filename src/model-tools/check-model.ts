import { resolve } from 'node:path';
import { StartError } from '../common/platform/config/configuration-error';
import { encodePicture, THUMBNAIL_SIDE } from '../common/engine/compute/thumbnail-store';
import { modelOf, readManifest } from '../common/engine/models/model-folder';
import type { Model } from '../common/engine/models/model-runtime';
import { MODEL_RUNTIMES } from '../common/engine/models/model-runtimes';
import {
  PictureRefusedError,
  type ModelOptions,
  type PictureFindings,
  type PictureModel,
  type PictureModelType,
  type FoundLabel,
} from '../common/engine/models/picture-model';
import { drawnPictures, picturesIn, type CheckPicture } from './check-pictures';

const MAX_LISTED = 8;

const DRAWN = 12;
const SHOWN = 12;
const TEXTS = ['a photo of a dog', 'dogs in a photo', 'an empty street at night'];

interface CheckOptions extends ModelOptions {
  /** A folder of pictures; if undefined, pictures are drawn. */
  readonly pictures?: string | undefined;
}

type Print = (line: string) => void;

/** Loads a model folder, applies the model to pictures, and prints the results and the speed. */
export async function checkModel(folder: string, options: CheckOptions, print: Print): Promise<void> {
  const place = resolve(folder);
  const text = await readManifest(place);
  if (text === undefined) throw new StartError(`${place} has no manifest.json.`);
  const model = await modelOf(place, text, MODEL_RUNTIMES);
  const { id, name, type, runtime } = model.manifest;
  print(`${id} (${name}): ${type} by ${runtime}`);
  const begun = performance.now();
  const opened = await model.open();
  print(`Opened in ${seconds(performance.now() - begun)}`);
  try {
    await tryOut(model, opened, options, print);
  } finally {
    await opened.close();
  }
}

async function tryOut(
  { manifest: { type } }: Model,
  opened: Awaited<ReturnType<Model['open']>>,
  options: CheckOptions,
  print: Print,
): Promise<void> {
  if (type === 'TEXT_ENCODING') return tryTexts(opened as TextModelOpened, print);
  const pictures = options.pictures === undefined ? await drawnPictures(DRAWN) : await picturesIn(options.pictures);
  if (type === 'IMAGE_ENCODING') return tryEncoder(opened as ImageModelOpened, pictures, print);
  const found = await tryPictures(opened as PictureModel<PictureModelType>, type, { pictures, options }, print);
  if (type === 'MULTIMODEL_IMAGE_ENCODING') await tryTextSide(opened as TextSideOpened, pictures, found, print);
}

type TextModelOpened = Awaited<ReturnType<Model<'TEXT_ENCODING'>['open']>>;
type ImageModelOpened = Awaited<ReturnType<Model<'IMAGE_ENCODING'>['open']>>;
type TextSideOpened = Awaited<ReturnType<Model<'MULTIMODEL_IMAGE_ENCODING'>['open']>>;

async function tryTexts(model: TextModelOpened, print: Print): Promise<void> {
  const vectors = (await model.embed(TEXTS)).filter((vector) => vector !== null);
  print(`Vectors of ${model.dimension} numbers`);
  for (const [at, vector] of vectors.entries())
    if (at > 0) print(`"${TEXTS[0]}" and "${TEXTS[at]}": cosine ${cosine(vectors[0]!, vector).toFixed(3)}`);
}

async function tryEncoder(model: ImageModelOpened, pictures: readonly CheckPicture[], print: Print): Promise<void> {
  const vectors: Float32Array[] = [];
  const pace = new Pace();
  for (const picture of pictures) {
    const pixels = await picture.pixels(THUMBNAIL_SIDE);
    vectors.push(...(await pace.time(() => model.embed([pixels]))));
  }
  print(`Vectors of ${model.dimension} numbers`);
  for (const [at, { name }] of pictures.entries())
    if (at < SHOWN) print(`${name}: ${mostAlike(at, vectors, pictures)}`);
  print(pace.text());
}

async function tryPictures(
  model: PictureModel<PictureModelType>,
  type: PictureModelType,
  { pictures, options }: { readonly pictures: readonly CheckPicture[]; readonly options: ModelOptions },
  print: Print,
): Promise<(PictureFindings[PictureModelType] | undefined)[]> {
  const found: (PictureFindings[PictureModelType] | undefined)[] = [];
  const pace = new Pace();
  for (const [at, picture] of pictures.entries()) {
    const pixels = await picture.pixels(model.longestSide);
    try {
      const finding = await pace.time(async () => {
        if (model.runsIn === 'child') return (await model.apply([pixels], options))[0]!;
        const encoded = await encodePicture(pixels, model.longestSide);
        return model.apply(encoded, options, new AbortController().signal);
      });
      found.push(finding);
      if (at < SHOWN) print(`${picture.name}: ${describeFinding(type, finding)}`);
    } catch (error) {
      if (!(error instanceof PictureRefusedError)) throw error;
      found.push(undefined);
      print(`${picture.name}: refused: ${error.message}`);
    }
  }
  print(pace.text());
  if (model.runsIn === 'service' && model.tokens.prompt > 0)
    print(`${model.tokens.prompt} tokens were sent, and ${model.tokens.completion} received`);
  return found;
}

async function tryTextSide(
  model: TextSideOpened,
  pictures: readonly CheckPicture[],
  found: readonly (PictureFindings[PictureModelType] | undefined)[],
  print: Print,
): Promise<void> {
  const described = pictures.flatMap(({ name, caption }, at) => {
    const finding = found[at];
    return caption !== undefined && finding !== undefined && 'embedding' in finding
      ? [{ name, caption, embedding: finding.embedding }]
      : [];
  });
  if (described.length === 0) return;
  let right = 0;
  for (const { caption, name } of described) {
    const [text] = await model.embedTexts([caption], new AbortController().signal);
    const best = described
      .map((each) => ({ name: each.name, cosine: cosine(text!, each.embedding) }))
      .reduce((a, b) => (b.cosine > a.cosine ? b : a));
    if (best.name === name) right += 1;
    print(`"${caption}" is nearest to ${best.name}, cosine ${best.cosine.toFixed(3)}`);
  }
  print(`${right} of ${described.length} descriptions are nearest to their own picture`);
}

function mostAlike(at: number, vectors: readonly Float32Array[], pictures: readonly CheckPicture[]): string {
  let best: { readonly name: string; readonly cosine: number } | undefined;
  for (const [other, vector] of vectors.entries()) {
    if (other === at) continue;
    const value = cosine(vectors[at]!, vector);
    if (best === undefined || value > best.cosine) best = { name: pictures[other]!.name, cosine: value };
  }
  return best === undefined ? 'the only picture' : `most like ${best.name}, cosine ${best.cosine.toFixed(3)}`;
}

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/** Measures the time of a model; that of the first picture, which includes the warm-up, is separate. */
class Pace {
  private readonly times: number[] = [];

  async time<T>(work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.times.push(performance.now() - begun);
    }
  }

  text(): string {
    const [first = 0, ...rest] = this.times;
    if (rest.length === 0) return `One picture in ${seconds(first)}`;
    const mean = rest.reduce((sum, time) => sum + time, 0) / rest.length;
    return `${this.times.length} pictures, one by one: the first ${seconds(first)}, then ${(1000 / mean).toFixed(1)} pictures a second, decoding not included`;
  }
}

/** The finding of a model for a picture, as one line. */
function describeFinding(type: PictureModelType, found: PictureFindings[PictureModelType]): string {
  if ('caption' in found) return found.caption;
  if ('labels' in found) return listed(found.labels);
  if ('objects' in found) return listed(found.objects);
  if ('lines' in found) return listed(found.lines.map(({ text, confidence }) => ({ label: `"${text}"`, confidence })));
  if ('embedding' in found) return `a vector of ${found.embedding.length} numbers`;
  throw new Error(`Unknown result of ${type}`);
}

function listed(labels: readonly FoundLabel[]): string {
  if (labels.length === 0) return 'nothing';
  const shown = labels.slice(0, MAX_LISTED).map(({ label, confidence }) => `${label} ${confidence.toFixed(2)}`);
  return labels.length > MAX_LISTED ? `${shown.join(', ')} and ${labels.length - MAX_LISTED} more` : shown.join(', ');
}
