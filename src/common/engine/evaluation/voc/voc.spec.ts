import {
  evaluatePictures,
  outcomesOf,
  type GivenAnnotation,
  type GivenPicture,
} from '../../../../../test/support/evaluate-pictures';
import { Random } from '../../../../../test/support/random';
import type { BoxNumbers } from '../../annotations/annotation';
import { EvaluationError } from '../evaluation-error';
import { planOf, type EvaluationOptions } from '../plan';
import { precisionArea } from './precision-area';

type Given = GivenAnnotation & { readonly box: BoxNumbers };

const box = (label: string, numbers: BoxNumbers, rest: Partial<GivenAnnotation> = {}): Given => ({
  label,
  box: numbers,
  ...rest,
});

const BOAT = box('boat', [0, 0, 100, 100]);
const found = (confidence: number, numbers: BoxNumbers = [0, 0, 100, 90]): Given =>
  box('boat', numbers, { confidence });

const evaluate = (pictures: readonly GivenPicture[], options: Partial<EvaluationOptions> = {}) =>
  evaluatePictures(planOf('detection', 'voc', options), pictures);

describe('the area below a precision-recall curve', () => {
  const RANKS = [1, 3, 4];

  it('takes at each recall the highest precision from there on', () => {
    expect(precisionArea(RANKS, 4, 'all')).toBeCloseTo((1 + 0.75 + 0.75) / 4, 12);
    expect(precisionArea(RANKS, 4, '11')).toBeCloseTo((3 * 1 + 5 * 0.75) / 11, 12);
  });

  it('is measured at recalls that are reached exactly', () => {
    expect(precisionArea([1, 2, 3], 10, '11')).toBeCloseTo(4 / 11, 12);
  });

  it('is nothing without hits', () => {
    for (const points of ['all', '11'] as const) expect(precisionArea([], 2, points)).toBe(0);
  });
});

describe('an evaluation by PASCAL VOC', () => {
  it('counts a second prediction as wrong, although it covers another annotation well enough', () => {
    const other = box('boat', [0, 20, 100, 100]);
    const { collected } = evaluate([{ truth: [BOAT, other], predictions: [found(0.9), found(0.8, [0, 0, 100, 101])] }]);
    expect(outcomesOf(collected)).toEqual(['tp', 'double']);
    expect([...collected.columns.truthPartners]).toEqual([0, -1]);
  });

  it('does not count what is about a difficult annotation or lies in a crowd', () => {
    const truth = [
      { ...BOAT, ignored: true as const },
      box('boat', [500, 500, 400, 400], { crowd: true }),
      box('boat', [520, 520, 50, 50]),
    ];
    const inCrowd: BoxNumbers = [520, 520, 50, 50];
    const predictions = [found(0.9), found(0.8, inCrowd), found(0.7, inCrowd), found(0.6, [200, 0, 50, 50])];
    const { collected, perClass, metrics } = evaluate([{ truth, predictions }]);
    expect(outcomesOf(collected)).toEqual(['ignored', 'tp', 'ignored', 'background']);
    expect(perClass[0]).toMatchObject({ label: 'boat', truth: 1, predictions: 2 });
    expect(metrics['mAP']).toBe(1);
  });

  it('sorts mistakes', () => {
    const predictions = [
      found(0.9),
      box('buoy', [0, 0, 100, 100], { confidence: 0.8 }),
      found(0.7, [0, 0, 100, 30]),
      found(0.6, [500, 500, 10, 10]),
    ];
    const { collected } = evaluate([{ truth: [BOAT], predictions }]);
    expect(outcomesOf(collected)).toEqual(['tp', 'wrong_class', 'poor_box', 'background']);
  });

  it('finds annotations with other labels if labels do not matter', () => {
    const pictures = [{ truth: [BOAT], predictions: [box('buoy', [0, 0, 100, 100])] }];
    expect(evaluate(pictures).metrics['mAP']).toBe(0);
    expect(evaluate(pictures, { classAgnostic: true }).metrics['mAP']).toBe(1);
  });

  it('leaves labels without truth out of the mean', () => {
    const pictures = [{ truth: [BOAT], predictions: [BOAT, box('buoy', [500, 0, 9, 9])] }];
    const { metrics, perClass } = evaluate(pictures);
    expect(metrics['mAP']).toBe(1);
    expect(perClass.map(({ figures }) => figures['AP'])).toEqual([1, null]);
    expect(evaluate([{ truth: [], predictions: [BOAT] }]).metrics['mAP']).toBeNull();
  });

  it('compares no keypoints', () => {
    expect(() => evaluatePictures(planOf('keypoints', 'voc'), [])).toThrow(EvaluationError);
  });

  it.each(['all', '11'] as const)('has the figures of a plain program, at %s points', (vocPoints) => {
    for (let seed = 0; seed < 60; seed++) {
      const pictures = drawnPictures(new Random(seed));
      const { metrics, perClass } = evaluate(pictures, { vocPoints });
      const precisions = perClass.map(({ label }) => plainPrecision(pictures, label, vocPoints));
      expect(perClass.map(({ figures }) => figures['AP'])).toEqual(
        precisions.map((value): unknown => (value === null ? null : expect.closeTo(value, 10))),
      );
      const known = precisions.flatMap((value) => value ?? []);
      if (known.length === 0) expect(metrics['mAP']).toBeNull();
      else expect(metrics['mAP']).toBeCloseTo(known.reduce((sum, value) => sum + value, 0) / known.length, 10);
    }
  });
});

function drawnPictures(random: Random): { truth: Given[]; predictions: Given[] }[] {
  const drawn = (): Given =>
    box(random.pick(['boat', 'buoy']), [random.integer(60), random.integer(60), 40 + random.integer(20), 40]);
  return Array.from({ length: 6 }, () => {
    const truth = Array.from({ length: random.integer(5) }, () => ({
      ...drawn(),
      ...(random.next() < 0.2 && { ignored: true as const }),
    }));
    const predictions = Array.from({ length: random.integer(8) }, () => {
      const about = random.next() < 0.7 && truth.length > 0 ? random.pick(truth) : drawn();
      const [left, top, width, height] = about.box;
      return box(about.label, [left + random.integer(12), top, width, height], { confidence: random.integer(20) / 20 });
    });
    return { truth, predictions };
  });
}

function plainIou([x, y, w, h]: BoxNumbers, [left, top, width, height]: BoxNumbers): number {
  const across = Math.max(0, Math.min(x + w, left + width) - Math.max(x, left));
  const down = Math.max(0, Math.min(y + h, top + height) - Math.max(y, top));
  return (across * down) / (w * h + width * height - across * down);
}

/** As in the development kit of VOC: over all predictions of a label, each by its whole list. */
function plainPrecision(
  pictures: readonly { readonly truth: readonly Given[]; readonly predictions: readonly Given[] }[],
  label: string,
  points: 'all' | '11',
): number | null {
  const truths = pictures.map(({ truth }) => truth.filter((one) => one.label === label));
  const used = truths.map((truth) => truth.map(() => false));
  const total = truths.flat().filter(({ ignored }) => ignored !== true).length;
  if (total === 0) return null;
  const all = pictures.flatMap(({ predictions }, picture) =>
    predictions.filter((one) => one.label === label).map((prediction) => ({ picture, prediction })),
  );
  let [right, wrong] = [0, 0];
  const curve: { recall: number; precision: number }[] = [];
  for (const { picture, prediction } of all.sort((a, b) => b.prediction.confidence! - a.prediction.confidence!)) {
    const overlaps = truths[picture]!.map((truth) => plainIou(prediction.box, truth.box));
    const best = overlaps.indexOf(Math.max(...overlaps));
    if (best < 0 || overlaps[best]! < 0.5) wrong++;
    else if (truths[picture]![best]!.ignored === true) continue;
    else if (used[picture]![best]) wrong++;
    else {
      used[picture]![best] = true;
      right++;
    }
    curve.push({ recall: right / total, precision: right / (right + wrong) });
  }
  const highest = (recall: number): number =>
    Math.max(0, ...curve.filter((point) => point.recall > recall - 1e-12).map(({ precision }) => precision));
  if (points === '11') return Array.from({ length: 11 }, (_, at) => highest(at / 10)).reduce((a, b) => a + b) / 11;
  const recalls = [...new Set(curve.map(({ recall }) => recall))];
  return recalls.reduce((sum, recall, at) => sum + (recall - (recalls[at - 1] ?? 0)) * highest(recall), 0);
}
