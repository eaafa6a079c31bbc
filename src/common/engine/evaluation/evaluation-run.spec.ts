import { randomSet, batchesOf, type CocoSet } from '../../../../test/support/coco-sets';
import { detections } from '../../../../test/support/detections';
import figuresOfCocoTools from '../../../../test/fixtures/coco-figures.json';
import type { Annotation } from '../annotations/annotation';
import { largestLabels } from './confusion';
import { EvaluationRun } from './evaluation-run';
import { NONE, PREDICTION_OUTCOMES } from './outcomes';
import { planOf, type EvaluationOptions, type EvaluationTask } from './plan';

const DIGITS = 9;

const COSTS_OF_TIDE = {
  wrong_class: 6.243349091417038,
  poor_box: 3.4289749787654316,
  wrong_class_and_box: 0.8992611790094216,
  double: 0.01111732907725127,
  background: 5.652947426506607,
  missed: 11.072659351472048,
};

type ComparedSet = Omit<CocoSet, 'task'> & { readonly task: EvaluationTask };

async function evaluated(set: ComparedSet, options: Partial<EvaluationOptions> = {}, threads = 1) {
  await using run = new EvaluationRun(planOf(set.task, 'coco', options), { threads });
  for (const batch of batchesOf(set, 3)) await run.add(batch);
  return await run.finish();
}

const box = (id: string, label: string, x: number, width: number, confidence?: number): Annotation => ({
  id,
  label,
  version: 1,
  box: [x, 0, width, 10],
  ...(confidence !== undefined && { confidence }),
});

const setOf = (truth: readonly Annotation[][], predictions: readonly Annotation[][]): CocoSet => ({
  task: 'detection',
  labels: [],
  pictures: truth.map((_, at) => ({
    id: `00000000-0000-4000-8000-00000000000${at}`,
    rank: truth.length - at,
    width: 100,
    height: 100,
  })),
  truth,
  predictions,
});

describe('an evaluation', () => {
  it.each(figuresOfCocoTools)(
    'has the figures of pycocotools for set $seed ($task)',
    async ({ seed, task, stats, classes }) => {
      const set = randomSet(seed, task as CocoSet['task']);
      const { metrics, perClass } = await evaluated(set, {}, 1 + (seed % 2));
      const own = Object.values(metrics).slice(0, stats.length);
      for (const [at, value] of stats.entries()) expect(own[at]).toBeCloseTo(value, DIGITS);
      const ofLabel = new Map(perClass.map(({ label, figures }) => [label, figures['AP']]));
      for (const [at, value] of classes.entries())
        expect(ofLabel.get(set.labels[at]!) ?? -1).toBeCloseTo(value, DIGITS);
    },
  );

  it.each(figuresOfCocoTools.filter(({ statsOfAll }) => statsOfAll !== undefined))(
    'has the figures of pycocotools for set $seed without labels',
    async ({ seed, task, statsOfAll }) => {
      const { metrics } = await evaluated(randomSet(seed, task as CocoSet['task']), { classAgnostic: true });
      const own = Object.values(metrics);
      for (const [at, value] of statsOfAll!.entries()) expect(own[at]).toBeCloseTo(value, DIGITS);
    },
  );

  it('is perfect where predictions equal the truth', async () => {
    const { truth, ...set } = randomSet(4, 'detection');
    const counted = truth.map((annotations) => annotations.filter(({ crowd }) => crowd === undefined));
    const { metrics, errorCosts } = await evaluated({ ...set, truth: counted, predictions: counted });
    expect(metrics).toMatchObject({ AP: 1, AP50: 1, AP75: 1, precision: 1, recall: 1, f1: 1, confidence: 1 });
    expect(Object.values(errorCosts!)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('has no labels of whole pictures, unless these are compared', async () => {
    const set = setOf(
      [[box('1', 'cat', 0, 10), { id: '2', label: 'indoors', version: 1 }]],
      [[box('3', 'cat', 0, 10, 0.9), { id: '4', label: 'outdoors', version: 1, confidence: 0.5 }]],
    );
    expect((await evaluated(set)).outcomes.labels).toEqual(['cat']);
    expect((await evaluated({ ...set, task: 'classification' })).outcomes.labels).toEqual(['indoors', 'outdoors']);
  });

  it('says what became of each annotation, in the order of the ranks of pictures', async () => {
    const truth = [
      [box('1', 'cat', 0, 10), box('2', 'dog', 50, 10)],
      [box('3', 'cat', 20, 10), { ...box('4', 'cat', 60, 30), crowd: true as const }],
    ];
    const predictions = [
      [box('5', 'cat', 1, 10, 0.9), box('6', 'cat', 0, 10, 0.5), box('7', 'cat', 50, 10, 0.4)],
      [box('8', 'cat', 26, 10, 0.8), box('9', 'cat', 62, 10, 0.7), box('10', 'cat', 45, 5, 0.3)],
    ];
    const { outcomes, confidence } = await evaluated(setOf(truth, predictions));
    const { columns, labels } = outcomes;
    const names = Array.from(columns.outcomes, (code) => PREDICTION_OUTCOMES[code]);
    expect(labels).toEqual(['cat', 'dog']);
    expect(names).toEqual(['poor_box', 'ignored', 'background', 'tp', 'double', 'wrong_class']);
    expect([...columns.partners]).toEqual([0, 1, NONE, 2, 2, 3]);
    expect([...columns.truthPartners]).toEqual([NONE, NONE, 3, NONE]);
    expect([...columns.truthClaims]).toEqual([NONE, NONE, NONE, 5]);
    expect([...columns.truthCounts]).toEqual([1, 0, 1, 1]);
    expect([...columns.truthFirsts]).toEqual([0, 2, 4]);
    expect(columns.ious[3]).toBeCloseTo(9 / 11);
    expect(confidence).toBe(0.9);
  });

  it('says what each kind of mistake costs, as tidecv does', async () => {
    const set = detections({ pictures: 4_000, truth: 24_000, labels: 3, detections: 20 }, 0, 150);
    const truth = set.truth.map((annotations) => annotations.filter(({ crowd }) => crowd === undefined));
    const { metrics, errorCosts } = await evaluated({ ...set, truth });
    const expected = { AP50: 63.51286152256531, ...COSTS_OF_TIDE };
    for (const [name, value] of Object.entries(expected))
      expect({ ...metrics, ...errorCosts }[name]).toBeCloseTo(value / 100, DIGITS);
  });

  it('lets predictions of any label find an annotation where labels do not matter', async () => {
    const set = setOf([[box('1', 'cat', 0, 10)]], [[box('2', 'dog', 0, 10, 0.5)]]);
    const { metrics, outcomes } = await evaluated(set, { classAgnostic: true });
    expect(metrics['AP']).toBe(1);
    expect([...outcomes.columns.partners]).toEqual([0]);
    expect((await evaluated(set)).metrics['AP']).toBe(0);
  });

  it('has no figures of labels that no compared annotation has', async () => {
    const ofPicture: Annotation = { id: '2', label: 'winter', version: 1 };
    const { perClass, outcomes } = await evaluated(setOf([[box('1', 'cat', 0, 10), ofPicture]], [[]]));
    expect(perClass.map(({ label }) => label)).toEqual(['cat']);
    expect((await largestLabels(outcomes, 10)).map((label) => outcomes.labels[label])).toEqual(['cat']);
  });

  it('counts predictions from the confidence of their label', async () => {
    const predictions = [[box('3', 'cat', 0, 10, 0.5), box('4', 'dog', 50, 10, 0.5), box('5', 'dog', 80, 10, 0.3)]];
    const set = setOf([[box('1', 'cat', 0, 10), box('2', 'dog', 50, 10)]], predictions);
    const { metrics, perClass } = await evaluated(set, { confidence: 0.2, classConfidences: { cat: 0.6 } });
    expect(metrics).toMatchObject({ precision: 1 / 2, recall: 1 / 2, f1: 1 / 2, confidence: 0.2 });
    expect(perClass.map(({ figures }) => figures['recall'])).toEqual([0, 1]);
    expect(perClass.map(({ figures }) => figures['best_confidence'])).toEqual([0.5, 0.5]);
  });

  it('knows labels with the names of properties', async () => {
    const labels = ['__proto__', 'constructor', 'toString'];
    const boxes = labels.map((label, at) => box(label, label, 30 * at, 10, 0.5));
    const { perClass } = await evaluated(setOf([boxes], [boxes]), { confidence: 0.2, classConfidences: { cat: 0.6 } });
    expect(perClass.map(({ label, figures }) => [label, figures['f1']])).toEqual(labels.map((label) => [label, 1]));
  });

  it('refuses ids in the place of labels', async () => {
    const named = (from: number, count: number): Annotation[] =>
      Array.from({ length: count }, (_, at) => box(String(at), String(from + at), 0, 10));
    const refused = 'More than 50000 labels cannot be compared with each other';
    await expect(evaluated(setOf([named(0, 50_001)], [[]]))).rejects.toThrow(refused);
    const inTwoThreads = setOf([named(0, 25_001), [], [], named(25_001, 25_000)], [[], [], [], []]);
    await expect(evaluated(inTwoThreads, {}, 2)).rejects.toThrow(refused);
  });

  it('gives up once nobody wants it any more', async () => {
    const boxes = Array.from({ length: 2_000 }, (_, at) => box(String(at), 'cat', at, 10, 0.5));
    const abort = new AbortController();
    const plan = planOf('detection', 'coco');
    await using run = new EvaluationRun(plan, { signal: abort.signal, threads: 1 });
    for (const batch of batchesOf(setOf([boxes], [boxes]), 1)) await run.add(batch);
    abort.abort();
    await expect(run.finish()).rejects.toThrow('The comparison was given up');
  });

  it('refuses sigmas of another skeleton', async () => {
    const set = randomSet(2, 'keypoints');
    await expect(evaluated(set, { sigmas: [0.1, 0.2] })).rejects.toThrow(
      'The truth has skeletons of 17 points, but 2 sigmas were given',
    );
  });

  it('has nothing to measure without pictures', async () => {
    const { metrics, outcomes } = await evaluated(setOf([], []));
    expect(metrics).toMatchObject({ AP: -1, AR100: -1, precision: null, confidence: 0 });
    expect([...outcomes.columns.truthFirsts]).toEqual([0]);
  });

  it('names a picture that cannot be compared', async () => {
    const zigzag = Array.from({ length: 20_000 }, (_, at) => [at % 2 === 0 ? 0 : 9_000, at % 5]).flat();
    const long: Annotation = { id: 'long', label: 'a', version: 1, polygon: [zigzag] };
    const set = setOf([[long]], [[]]);
    const pictures = set.pictures.map((picture) => ({ ...picture, width: 9_000, height: 9_000 }));
    await expect(evaluated({ ...set, pictures, task: 'segmentation' })).rejects.toThrow(
      'Picture 00000000-0000-4000-8000-000000000000 cannot be compared: The outline of annotation long is too long',
    );
  });
});
