import { mkdtempSync, rmSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLASS_TEXTS, writeClassTexts, type TinyClasses } from '../../../../../test/support/class-text-files';
import { ModelError } from '../model-error';
import { onnxManifest } from '../onnx-manifests';
import { ClassTexts } from './class-texts';

const folder = mkdtempSync(join(tmpdir(), 'class-texts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TINY: TinyClasses = {
  classes: ['cowboy hat', 'bonnet', 'sandal'],
  words: { hat: [0, 1], 'cowboy hat': [0], shoe: [2] },
  vectors: [
    [2, 0],
    [0, 2],
    [-1, 0],
  ],
};

const manifest = onnxManifest.parse({
  id: 'photographs_v00',
  name: 'Photographs',
  type: 'IMAGE_ENCODING',
  description: 'For a test.',
  licence: 'MIT',
  runtime: 'onnx',
  files: { model: 'model.onnx' },
  preprocessing: { input: 'image', width: 8, height: 8, fit: 'fill', layout: 'NHWC', type: 'float32' },
  outputs: { embedding: 'embedding', dimension: 5 },
  calibration: { ladder: [0.9, 0.8, 0.7, 0.6, 0.5] },
  texts: CLASS_TEXTS,
});

const opened = async (tiny: TinyClasses = TINY): Promise<ClassTexts> => {
  await writeClassTexts(folder, tiny);
  return ClassTexts.open(folder, manifest);
};
const half = Math.SQRT1_2;

it('describes a noun by the mean of its classes, in the last numbers of the vector', async () => {
  const { vector, understood } = (await opened()).describe('A hat');
  expect([...vector!]).toEqual([0, 0, 0, expect.closeTo(half, 6), expect.closeTo(half, 6)]);
  expect(understood).toEqual([{ text: 'hat', classes: ['cowboy hat', 'bonnet'] }]);
});

it('describes several things by their mean', async () => {
  const { vector, understood } = (await opened()).describe('shoes and hats');
  const [x, y] = [half - 1, half];
  const length = Math.hypot(x, y);
  expect([...vector!]).toEqual([0, 0, 0, expect.closeTo(x / length, 6), expect.closeTo(y / length, 6)]);
  expect(understood.map(({ text }) => text)).toEqual(['shoes', 'hats']);
});

it('has no vector for a text that names nothing it knows', async () => {
  const texts = await opened();
  for (const text of ['astronaut', 'no hats', '', 'constructor', '__proto__'])
    expect(texts.describe(text)).toEqual({ vector: null, understood: [] });
});

it('tells at most ten classes', async () => {
  const classes = Array.from({ length: 40 }, (_, at) => `dog ${at}`);
  const texts = await opened({
    classes,
    words: { dog: classes.map((_, at) => at) },
    vectors: classes.map(() => [1, 1]),
  });
  expect(texts.describe('dog').understood[0]!.classes).toEqual(classes.slice(0, 10));
});

describe('files that are invalid', () => {
  const words = join(folder, CLASS_TEXTS.words);
  beforeEach(() => writeClassTexts(folder, TINY));

  it.each<[string, () => Promise<unknown>]>([
    ['no JSON', () => writeFile(words, '{"classes":')],
    ['no list of classes', () => writeFile(words, '{"classes":{},"words":{}}')],
    ['a noun without classes', () => writeFile(words, '{"classes":["a","b","c"],"words":{"hat":[]}}')],
    ['an index that is no number', () => writeFile(words, '{"classes":["a","b","c"],"words":{"hat":["0"]}}')],
    ['an index without a class', () => writeFile(words, '{"classes":["a","b","c"],"words":{"hat":[3]}}')],
    ['a list of nouns that is too large', () => truncate(words, 9 * 2 ** 20)],
    ['vectors that end early', () => truncate(join(folder, CLASS_TEXTS.classes), 23)],
    ['no vectors', () => truncate(join(folder, CLASS_TEXTS.classes), 0)],
    ['more numbers than the vectors of pictures have', () => truncate(join(folder, CLASS_TEXTS.classes), 3 * 6 * 4)],
    ['vectors without a direction', () => writeFile(join(folder, CLASS_TEXTS.classes), Buffer.alloc(24))],
  ])('are refused: %s', async (_, damage) => {
    await damage();
    await expect(ClassTexts.open(folder, manifest)).rejects.toThrow(ModelError);
  });
});
