import { randomUUID } from 'node:crypto';
import {
  evaluatePictures,
  outcomesOf,
  type GivenAnnotation,
  type GivenPicture,
} from '../../../../../test/support/evaluate-pictures';
import { EvaluationError } from '../evaluation-error';
import { EvaluationRun } from '../evaluation-run';
import type { Figures } from '../evaluation-result';
import { planOf, type EvaluationOptions } from '../plan';

const said = (label: string, confidence?: number): GivenAnnotation => ({
  label,
  ...(confidence !== undefined && { confidence }),
});

const picture = (truth: readonly string[], predictions: Readonly<Record<string, number>>): GivenPicture => ({
  truth: truth.map((label) => said(label)),
  predictions: Object.entries(predictions).map(([label, confidence]) => said(label, confidence)),
});

const evaluate = (pictures: readonly GivenPicture[], options: Partial<EvaluationOptions> = {}) =>
  evaluatePictures(planOf('classification', 'coco', options), pictures);

function expectNear(actual: Figures, expected: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(expected))
    expect([name, actual[name]]).toEqual([name, expect.closeTo(value, 10)]);
}

const ONE_LABEL_EACH = [
  picture(['boat'], { boat: 0.7, buoy: 0.2, gull: 0.1 }),
  picture(['boat'], { boat: 0.4, buoy: 0.5, gull: 0.1 }),
  picture(['buoy'], { boat: 0.05, buoy: 0.9, gull: 0.05 }),
  picture(['gull'], { boat: 0.3, buoy: 0.25, gull: 0.45 }),
  picture(['gull'], { boat: 0.5, buoy: 0.3, gull: 0.2 }),
  picture(['buoy'], { boat: 0.6, buoy: 0.3, gull: 0.1 }),
];

const SEVERAL_LABELS = [
  picture(['boat', 'gull'], { boat: 0.9, buoy: 0.4, gull: 0.55 }),
  picture([], { boat: 0.6, buoy: 0.1, gull: 0.2 }),
  picture(['buoy'], { boat: 0.2, buoy: 0.7, gull: 0.1 }),
  picture(['boat', 'buoy'], { boat: 0.8, buoy: 0.3, gull: 0.6 }),
  picture(['gull'], { boat: 0.1, buoy: 0.2, gull: 0.9 }),
];

/** As scikit-learn and the package krippendorff have them. */
const SINGLE = {
  accuracy: 0.5,
  balanced_accuracy: 0.5,
  top_1: 0.5,
  top_2: 0.833333333333,
  precision: 0.611111111111,
  recall: 0.5,
  f1: 0.522222222222,
  roc_auc: 0.854166666667,
  average_precision: 0.833333333333,
  brier: 0.511666666667,
  ece: 0.425,
  kappa: 0.25,
  alpha: 0.297872340426,
};

const BOAT = {
  roc_auc: 0.75,
  average_precision: 0.75,
  brier: 0.192083333333,
  precision: 0.333333333333,
  recall: 0.5,
  f1: 0.4,
  kappa: 0.0,
  alpha: 0.057142857143,
  ece: 0.466666666667,
};

const MULTI = {
  accuracy: 0.6,
  precision: 0.777777777778,
  recall: 0.833333333333,
  f1: 0.755555555556,
  roc_auc: 0.888888888889,
  average_precision: 0.888888888889,
  brier: 0.124833333333,
  ece: 0.29,
  kappa: 0.592074592075,
  alpha: 0.617142857143,
};

describe('an evaluation of labels of whole pictures', () => {
  it('has the figures of scikit-learn where each picture has one label', () => {
    const { metrics, perClass, confidence } = evaluate(ONE_LABEL_EACH, { k: [1, 2] });
    expect(confidence).toBe(0);
    expectNear(metrics, SINGLE);
    expectNear(perClass[0]!.figures, BOAT);
  });

  it('has the figures of scikit-learn where pictures have several labels', () => {
    const { metrics } = evaluate(SEVERAL_LABELS, { confidence: 0.5 });
    expectNear(metrics, MULTI);
    expect(metrics).not.toHaveProperty('balanced_accuracy');
    expect(metrics).not.toHaveProperty('top_1');
  });

  it('is perfect if the predictions are the truth', () => {
    const pictures = ONE_LABEL_EACH.map(({ truth }) => ({ truth, predictions: truth }));
    const { metrics, collected } = evaluate(pictures);
    expectNear(metrics, {
      accuracy: 1,
      balanced_accuracy: 1,
      top_1: 1,
      top_5: 1,
      precision: 1,
      recall: 1,
      f1: 1,
      roc_auc: 1,
      average_precision: 1,
      brier: 0,
      ece: 0,
      kappa: 1,
      alpha: 1,
    });
    expect(new Set(outcomesOf(collected))).toEqual(new Set(['tp']));
  });

  it('takes the label with the highest confidence, over the one that is true', () => {
    const { collected } = evaluate(ONE_LABEL_EACH);
    expect(outcomesOf(collected).slice(0, 6)).toEqual([
      'tp',
      'ignored',
      'ignored',
      'ignored',
      'wrong_class',
      'ignored',
    ]);
    expect(collected.columns.truthPartners[1]).toBe(-1);
    expect(collected.columns.truthClaims[1]).toBe(4);
    expect(collected.columns.partners[4]).toBe(1);
  });

  it('takes all labels of a picture if that is asked for', () => {
    const { collected } = evaluate(ONE_LABEL_EACH.slice(0, 1), { labels: 'multi' });
    expect(outcomesOf(collected)).toEqual(['tp', 'background', 'background']);
  });

  it('takes the first of several true labels if one is asked for', () => {
    const { collected, metrics } = evaluate(SEVERAL_LABELS, { labels: 'single' });
    expect([...collected.columns.truthCounts]).toEqual([1, 0, 1, 1, 0, 1]);
    expect(metrics['accuracy']).toBe(1);
  });

  it('leaves out pictures without a label in the truth', () => {
    const pictures = [...ONE_LABEL_EACH, picture([], { boat: 0.9 })];
    expect(evaluate(pictures).metrics).toEqual(evaluate(ONE_LABEL_EACH).metrics);
  });

  it('leaves out pictures without a label of either source where they may have several', () => {
    const box = { label: 'boat', box: [0, 0, 9, 9] as const };
    const more = [...SEVERAL_LABELS, picture([], {}), { truth: [box], predictions: [box] }];
    expect(evaluate(more).metrics).toEqual(evaluate(SEVERAL_LABELS).metrics);
  });

  it('counts a picture without a prediction as wrong, but asks no agreement of it', () => {
    const { metrics } = evaluate([
      picture(['boat'], { boat: 1 }),
      picture(['buoy'], { buoy: 1 }),
      picture(['boat'], {}),
    ]);
    expect(metrics['accuracy']).toBeCloseTo(2 / 3, 12);
    expect(metrics['kappa']).toBe(1);
  });

  it('does not look at shapes, ignored labels and labels that are said twice', () => {
    const plain = [picture(['boat'], { boat: 0.6 }), picture(['buoy'], { boat: 0.7 })];
    const box = { label: 'gull', box: [0, 0, 9, 9] as const };
    const more = plain.map(({ truth, predictions }) => ({
      truth: [...truth, box, { ...said('gull'), ignored: true as const }],
      predictions: [said('boat', 0.1), ...predictions, { ...box, confidence: 1 }, said('gull', 1)],
    }));
    const { metrics, collected } = evaluate(more);
    expect(metrics).toEqual(evaluate(plain).metrics);
    const ofEach = (outcome: string): string[] => ['ignored', outcome, 'ignored'];
    expect(outcomesOf(collected)).toEqual([...ofEach('tp'), ...ofEach('wrong_class')]);
  });

  it('leaves out predictions below the confidence that is asked for', () => {
    const { metrics } = evaluate(ONE_LABEL_EACH, { confidence: 0.5 });
    expect(metrics['accuracy']).toBeCloseTo(2 / 6, 12);
  });

  it('has no figures where there is nothing to compare', () => {
    const { metrics } = evaluate([picture([], {})]);
    expect(metrics).toMatchObject({ accuracy: null, f1: null, roc_auc: null, brier: null, ece: null, kappa: null });
    expect(() => evaluate([], { classAgnostic: true })).toThrow(EvaluationError);
  });

  it('has the same figures in threads', async () => {
    await using run = new EvaluationRun(planOf('classification', 'coco'), { threads: 2 });
    for (const [rank, { truth, predictions }] of ONE_LABEL_EACH.entries())
      await run.add({
        pictures: [{ id: randomUUID(), rank, width: 1, height: 1 }],
        truth: Buffer.from(JSON.stringify([truth])),
        predictions: Buffer.from(JSON.stringify([predictions])),
      });
    const { metrics, outcomes } = await run.finish();
    const { collected, ...here } = evaluate(ONE_LABEL_EACH);
    expect(metrics).toEqual(here.metrics);
    expect(outcomes.columns.outcomes).toEqual(collected.columns.outcomes);
    expect(() => new EvaluationRun(planOf('keypoints', 'voc'))).toThrow(EvaluationError);
  });
});
