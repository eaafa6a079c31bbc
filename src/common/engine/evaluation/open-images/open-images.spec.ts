import {
  evaluatePictures,
  outcomesOf,
  type GivenAnnotation,
  type GivenPicture,
} from '../../../../../test/support/evaluate-pictures';
import type { BoxNumbers } from '../../annotations/annotation';
import { EvaluationError } from '../evaluation-error';
import { planOf, type EvaluationOptions } from '../plan';

const BOX: BoxNumbers = [0, 0, 100, 100];
const FAR: BoxNumbers = [500, 500, 100, 100];

const box = (label: string, numbers: BoxNumbers = BOX, rest: Partial<GivenAnnotation> = {}): GivenAnnotation => ({
  label,
  box: numbers,
  ...rest,
});

const HIERARCHY = [
  ['dog', 'animal'],
  ['cat', 'animal'],
  ['animal', 'thing'],
] as const;

const evaluate = (pictures: readonly GivenPicture[], options: Partial<EvaluationOptions> = {}) =>
  evaluatePictures(planOf('detection', 'open_images', options), pictures);

describe('an evaluation by Open Images', () => {
  it('finds a crowd once', () => {
    const truth = [box('dog', [0, 0, 400, 400], { crowd: true })];
    const predictions = [0.9, 0.8, 0.7].map((confidence, at) => box('dog', [50 * at, 0, 40, 40], { confidence }));
    const { collected, metrics, perClass } = evaluate([{ truth, predictions }]);
    expect(outcomesOf(collected)).toEqual(['tp', 'ignored', 'ignored']);
    expect(perClass[0]).toMatchObject({ truth: 1, predictions: 1 });
    expect(metrics['mAP']).toBe(1);
    expect(evaluate([{ truth, predictions: [] }]).metrics['mAP']).toBe(0);
  });

  it('finds single annotations before the crowd around them', () => {
    const truth = [box('dog', [0, 0, 400, 400], { crowd: true }), box('dog')];
    const predictions = [box('dog', BOX, { confidence: 0.9 }), box('dog', BOX, { confidence: 0.8 })];
    const { collected } = evaluate([{ truth, predictions }]);
    expect(outcomesOf(collected)).toEqual(['tp', 'tp']);
    expect([...collected.columns.partners]).toEqual([1, 0]);
  });

  it('counts predictions of labels that people have looked for only, if they are told', () => {
    const truth = [box('dog'), { label: 'cat', confidence: 0 }, { label: 'bird', confidence: 1 }, { label: 'fish' }];
    const predictions = ['dog', 'cat', 'bird', 'fish', 'horse'].map((label) => box(label, FAR));
    const told = evaluate([{ truth, predictions }], { verified: true });
    expect(outcomesOf(told.collected)).toEqual([...Array<string>(4).fill('background'), 'ignored']);
    expect(outcomesOf(evaluate([{ truth, predictions }]).collected)).toEqual(Array(5).fill('background'));
  });

  it('knows of a hierarchy what is there with the labels above it, and what is not with those below', () => {
    const options = { verified: true, hierarchy: HIERARCHY };
    const found = [box('cat', FAR, { confidence: 0.9 }), box('animal', BOX, { confidence: 0.5 })];
    const present = evaluate([{ truth: [box('dog')], predictions: found }], options);
    // The cat is a wrong animal, and no wrong cat.
    expect(outcomesOf(present.collected)).toEqual(['ignored', 'tp']);
    expect(present.perClass.find(({ label }) => label === 'animal')?.figures['AP']).toBe(0.5);
    const absent = { truth: [{ label: 'animal', confidence: 0 }], predictions: [box('cat')] };
    expect(outcomesOf(evaluate([absent], options).collected)).toEqual(['background']);
  });

  it('does not count a crowd to be ignored', () => {
    const truth = [box('dog', [0, 0, 400, 400], { crowd: true, ignored: true })];
    const { collected, perClass } = evaluate([{ truth, predictions: [box('dog')] }]);
    expect(outcomesOf(collected)).toEqual(['ignored']);
    expect(perClass).toEqual([]);
  });

  it('is perfect if the predictions are the truth, with the labels above', () => {
    const truth = [box('dog'), box('cat', FAR), box('animal', [200, 0, 50, 50])];
    const { metrics, perClass, collected } = evaluate([{ truth, predictions: truth }], { hierarchy: HIERARCHY });
    expect(metrics).toMatchObject({ mAP: 1, precision: 1, recall: 1, f1: 1 });
    expect(perClass.map(({ figures }) => figures['AP'])).toEqual([1, 1, 1]);
    expect(outcomesOf(collected)).toEqual(['tp', 'tp', 'tp']);
  });

  it('finds an annotation by a label above its own', () => {
    const pictures = [{ truth: [box('dog')], predictions: [box('animal')] }];
    const { collected, perClass, metrics } = evaluate(pictures, { hierarchy: HIERARCHY });
    expect(outcomesOf(collected)).toEqual(['tp']);
    expect(perClass.map(({ label, figures }) => [label, figures['AP']])).toEqual([
      ['animal', 1],
      ['dog', 0],
    ]);
    // Of dog, animal and thing.
    expect(metrics['mAP']).toBeCloseTo(2 / 3, 12);
    expect(outcomesOf(evaluate(pictures).collected)).toEqual(['wrong_class']);
  });

  it('counts another label below the same one as right for that', () => {
    const pictures = [{ truth: [box('dog')], predictions: [box('cat')] }];
    const { collected, metrics } = evaluate(pictures, { hierarchy: HIERARCHY });
    expect(outcomesOf(collected)).toEqual(['wrong_class']);
    // Of dog, animal and thing; nothing is a cat.
    expect(metrics['mAP']).toBeCloseTo(2 / 3, 12);
  });

  it('takes predictions as they are if they have the labels above', () => {
    const predictions = ['dog', 'animal', 'thing'].map((label) => box(label, BOX, { confidence: 0.5 }));
    const { collected, metrics } = evaluate([{ truth: [box('dog')], predictions }], { hierarchy: HIERARCHY });
    expect(metrics['mAP']).toBe(1);
    expect(outcomesOf(collected)).toEqual(['tp', 'ignored', 'ignored']);
  });

  it('ranks the predictions of all labels below a label', () => {
    const truth = [box('dog'), box('cat', FAR)];
    const predictions = [
      box('dog', BOX, { confidence: 0.5 }),
      box('cat', FAR, { confidence: 0.9 }),
      box('dog', [800, 0, 50, 50], { confidence: 0.7 }),
    ];
    const { metrics } = evaluate([{ truth, predictions }], {
      hierarchy: [
        ['dog', 'animal'],
        ['cat', 'animal'],
      ],
    });
    const [cat, dog, animal] = [1, 1 / 2, (1 + 2 / 3) / 2];
    expect(metrics['mAP']).toBeCloseTo((cat + dog + animal) / 3, 12);
  });

  it('refuses a hierarchy that is none', () => {
    const refused = (hierarchy: readonly (readonly [string, string])[]): void =>
      expect(() => evaluate([], { hierarchy })).toThrow(EvaluationError);
    refused([['dog', 'dog']]);
    refused([
      ['dog', 'animal'],
      ['animal', 'dog'],
    ]);
    refused(Array.from({ length: 16 }, (_, at) => [`${at}`, `${at + 1}`] as const));
  });

  it('has a label with the most labels above it', () => {
    const hierarchy = Array.from({ length: 15 }, (_, at) => [`${at}`, `${at + 1}`] as const);
    const { metrics } = evaluate([{ truth: [box('0')], predictions: [box('0')] }], { hierarchy });
    expect(metrics['mAP']).toBe(1);
  });
});
