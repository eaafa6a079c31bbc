import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SiteModels } from '../../../../test/support/site-models';
import type { ClassLabel } from './label-hierarchy';
import { ModelRegistry } from './model-registry';
import { sureLabels } from './onnx-tagger';
import type { LocalPictureModel, Pixels } from './picture-model';

const CLASSES: readonly ClassLabel[] = [
  { label: 'red', parents: ['warm', 'colour'] },
  { label: 'green', parents: ['colour'] },
  { label: 'blue', parents: ['cold', 'colour'] },
];

function picture(colourAt: (x: number) => readonly [number, number, number], width = 30, height = 20): Pixels {
  const data = Uint8Array.from(
    { length: width * height * 3 },
    (_, at) => colourAt(Math.floor(at / 3) % width)[at % 3]!,
  );
  return { data, width, height };
}

const RED = picture(() => [250, 10, 10]);
const GREY = picture(() => [128, 128, 128]);

describe('a tagger of one ONNX file', () => {
  let models: SiteModels;

  beforeEach(async () => {
    models = await SiteModels.make();
  });
  afterEach(() => models.remove());

  const opened = async (): Promise<LocalPictureModel<'IMAGE_TAGGING'>> =>
    (await (
      await ModelRegistry.load(models.folder)
    )
      .get('IMAGE_TAGGING', 'colours')
      .open()) as LocalPictureModel<'IMAGE_TAGGING'>;

  it('tells the labels of which it is sure, and none for other pictures', async () => {
    await models.addTagger('colours', CLASSES);
    const tagger = await opened();
    const [red, grey, middle] = await tagger.apply(
      [RED, GREY, picture((x) => (x >= 5 && x < 25 ? [0, 0, 255] : [255, 0, 0]))],
      {},
    );
    await tagger.close();
    expect(red!.labels).toEqual([{ label: 'red', confidence: expect.closeTo(1, 3) as number }]);
    expect(grey!.labels).toEqual([]);
    expect(middle!.labels.map(({ label }) => label)).toEqual(['blue']);
  });

  it('decodes pictures large enough for its input', async () => {
    const preprocessing = { input: 'image', width: 300, height: 260, fit: 'cover', layout: 'NCHW', type: 'float32' };
    await models.addTagger('colours', CLASSES, { preprocessing });
    const tagger = await opened();
    await tagger.close();
    expect(tagger.longestSide).toBe(900);
  });

  it.each<[string, readonly ClassLabel[], object, RegExp]>([
    ['other classes', CLASSES.slice(1), {}, /colours returned 3 numbers, not 2/],
    ['another output', CLASSES, { outputs: { logits: 'scores' } }, /no input image or no output scores/],
  ])('is refused with %s', async (_, classes, changes, reason) => {
    await models.addTagger('colours', classes, changes);
    const work = async () => (await opened()).apply([RED], {});
    await expect(work()).rejects.toThrow(reason);
  });

  it.each<[string, unknown, string]>([
    ['no list', {}, 'labels.json is not a list of labels with their parents: Invalid input: expected array'],
    ['no labels', [], 'labels.json is not a list of labels with their parents: Too small'],
    ['no parents', [{ label: 'red' }], 'labels.json is not a list of labels with their parents: 0 parents Invalid'],
    ['a blank', [{ label: ' ', parents: [] }], 'labels.json is not a list of labels with their parents: 0 label Too'],
    ['many parents', [{ label: 'red', parents: Array(17).fill('a') }], 'with their parents: 0 parents Too big'],
  ])('is listed as broken where its labels are %s', async (_, content, reason) => {
    const folder = await models.addTagger('colours', CLASSES);
    await writeFile(join(folder, 'labels.json'), JSON.stringify(content));
    const [broken] = (await ModelRegistry.load(models.folder)).broken();
    expect(broken!.reason).toContain(reason);
  });

  it.each([
    ['no JSON', '[', 'labels.json is not JSON.'],
    ['very large', ' '.repeat(4 * 1024 * 1024 + 1), 'labels.json is larger than 4194304 bytes.'],
  ])('is listed as broken where its labels are %s', async (_, content, reason) => {
    const folder = await models.addTagger('colours', CLASSES);
    await writeFile(join(folder, 'labels.json'), content);
    expect((await ModelRegistry.load(models.folder)).broken()).toEqual([{ folder, type: 'IMAGE_TAGGING', reason }]);
  });

  it('adds its labels to the hierarchy as long as it is there', async () => {
    const registry = await ModelRegistry.load(models.folder);
    expect(registry.labelHierarchy.isEmpty).toBe(true);
    await models.addTagger('colours', CLASSES);
    await registry.refresh();
    const { labelHierarchy } = registry;
    expect(labelHierarchy.parentsOf('Red')).toEqual(['warm', 'colour']);
    await registry.refresh();
    expect(registry.labelHierarchy).toBe(labelHierarchy);
    await models.take('colours');
    await registry.refresh();
    expect(registry.labelHierarchy.isEmpty).toBe(true);
  });
});

describe('sure labels', () => {
  const SETTINGS = { standardise: false, temperature: 1, threshold: 0.25, parentThreshold: undefined, most: 2 };
  const logits = (...shares: readonly number[]): Float32Array => Float32Array.from(shares, Math.log);
  const classes = ['dog', 'cat', 'dog', 'hare'].map((label): ClassLabel => ({ label, parents: [] }));
  const sure = (settings: Partial<typeof SETTINGS>, ...shares: readonly number[]) =>
    sureLabels(logits(...shares), classes, { ...SETTINGS, ...settings }).map(({ label, confidence }) => [
      label,
      Number(confidence.toFixed(3)),
    ]);

  it('count classes with the same label together, the surest first', () => {
    expect(sure({}, 0.2, 0.4, 0.3, 0.1)).toEqual([
      ['dog', 0.5],
      ['cat', 0.4],
    ]);
  });

  it('are as many as the manifest allows', () => {
    expect(sure({ most: 1 }, 0.2, 0.4, 0.3, 0.1)).toEqual([['dog', 0.5]]);
    expect(sure({ threshold: 0, most: 9 }, 0.2, 0.4, 0.3, 0.1)).toHaveLength(3);
  });

  it('are fewer at a higher temperature', () => {
    expect(sure({ threshold: 0.6 }, 0.1, 0.8, 0.05, 0.05)).toEqual([['cat', 0.8]]);
    expect(sure({ threshold: 0.6, temperature: 2 }, 0.1, 0.8, 0.05, 0.05)).toEqual([]);
  });

  it('are fewer for a picture whose logits differ widely', () => {
    const settings = { ...SETTINGS, standardise: true };
    const confidenceOf = (logits: readonly number[]): number =>
      sureLabels(Float32Array.from(logits), classes.slice(0, 2).concat(classes.slice(1)), settings)[0]!.confidence;
    const narrow = confidenceOf([3, 0, 0.1, -0.1, 0]);
    expect(confidenceOf([6, 0, 0.2, -0.2, 0])).toBeCloseTo(narrow, 5);
    expect(confidenceOf([3, 0, 2, -4, 0])).toBeLessThan(narrow);
    expect(sureLabels(Float32Array.of(1, 1, 1, 1), classes, settings)).toEqual([]);
  });

  it('give way to the narrowest parent that is sure, if there is none', () => {
    const pets: ClassLabel[] = [
      { label: 'terrier', parents: ['dog', 'mammal', 'animal'] },
      { label: 'poodle', parents: ['dog', 'mammal', 'animal'] },
      { label: 'robin', parents: ['bird', 'animal'] },
      { label: 'sofa', parents: [] },
    ];
    const told = (shares: readonly number[], parentThreshold?: number): [string, number][] =>
      sureLabels(logits(...shares), pets, { ...SETTINGS, threshold: 0.6, parentThreshold }).map(
        ({ label, confidence }) => [label, Number(confidence.toFixed(3))],
      );
    expect(told([0.4, 0.4, 0.1, 0.1])).toEqual([]);
    expect(told([0.4, 0.4, 0.1, 0.1], 0.7)).toEqual([['dog', 0.8]]);
    expect(told([0.4, 0.4, 0.1, 0.1], 0.85)).toEqual([['animal', 0.9]]);
    expect(told([0.4, 0.4, 0.1, 0.1], 0.95)).toEqual([]);
    expect(told([0.7, 0.1, 0.1, 0.1], 0.7)).toEqual([['terrier', 0.7]]);
  });

  it('are none where the model returns no numbers', () => {
    expect(sureLabels(Float32Array.of(NaN, 1, 2, 3), classes, SETTINGS)).toEqual([]);
    expect(sure({}, 1, 1e-300, 0, 0)).toEqual([['dog', 1]]);
  });
});
