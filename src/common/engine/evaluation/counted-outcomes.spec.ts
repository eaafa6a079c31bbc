import { randomUUID } from 'node:crypto';
import { type MadePicture, outcomesOf, randomPictures } from '../../../../test/support/made-outcomes';
import { confusionOf, largestLabels } from './confusion';
import {
  MISTAKE_OF,
  MISTAKES,
  OUTCOME_OF,
  visitCounted,
  type Cuts,
  type Mistake,
  type Outcome,
} from './counted-outcomes';
import { testOfOutcomes, type OutcomeCondition } from './outcome-condition';
import { countOutcomes, sumOfCounts } from './outcome-counts';
import { NONE } from './outcomes';

const LABELS = ['bus', 'car', 'dog', 'van'];

interface Seen {
  readonly picture: number;
  readonly outcome: Outcome;
  readonly mistake: Mistake | undefined;
  readonly label: string | undefined;
  readonly predicted: string | undefined;
  readonly iou: number | undefined;
}

/** One picture after the other, as the words of the rules are read. */
function expected(pictures: readonly MadePicture[], { confidence, classConfidences = {} }: Cuts): Seen[] {
  const counts = (of: { label: string; confidence: number }): boolean =>
    of.confidence >= (classConfidences[of.label] ?? confidence);
  return pictures.flatMap(({ truth, predictions }, picture) => {
    const seen: Seen[] = [];
    for (const prediction of predictions) {
      const { outcome, label: predicted, iou = 0 } = prediction;
      if (!counts(prediction) || outcome === 'ignored') continue;
      const label = prediction.truth === undefined ? undefined : truth[prediction.truth]!.label;
      if (outcome === 'tp') seen.push({ picture, outcome, mistake: undefined, label, predicted, iou });
      else seen.push({ picture, outcome: 'fp', mistake: outcome, label, predicted, iou });
    }
    for (const [at, { label, ignored }] of truth.entries()) {
      const over = predictions.filter((each) => each.truth === at);
      if (ignored === true || over.some((each) => each.outcome === 'tp' && counts(each))) continue;
      const claims = over.filter((each) => each.outcome === 'wrong_class');
      const claim = claims.find((each) => claims.every((other) => other.confidence <= each.confidence));
      if (claim === undefined || !counts(claim))
        seen.push({ picture, outcome: 'fn', mistake: 'missed', label, predicted: undefined, iou: undefined });
      else
        seen.push({
          picture,
          outcome: 'fn',
          mistake: 'wrong_class',
          label,
          predicted: claim.label,
          iou: claim.iou ?? 0,
        });
    }
    return seen;
  });
}

const sorted = (seen: readonly Seen[]): string[] => seen.map((each) => JSON.stringify(each)).sort();

const CUTS: readonly Cuts[] = [
  { confidence: 0 },
  { confidence: 0.5 },
  { confidence: 0.55, classConfidences: { car: 0.2, dog: 1, 'no such label': 0 } },
  { confidence: 1 },
];

const made = Array.from({ length: 40 }, (_, seed) => {
  const pictures = randomPictures(
    Array.from({ length: 12 }, () => randomUUID()),
    LABELS,
    seed,
  );
  return { pictures, outcomes: outcomesOf(pictures) };
});

async function visited(at: number, cuts: Cuts, condition?: OutcomeCondition): Promise<Seen[]> {
  const { outcomes } = made[at]!;
  const { columns, labels } = outcomes;
  const passes = condition === undefined ? () => true : testOfOutcomes(outcomes, condition).passes;
  const seen: Seen[] = [];
  await visitCounted(outcomes, cuts, (event, picture, truth, prediction) => {
    if (!passes(event, truth, prediction)) return;
    seen.push({
      picture,
      outcome: OUTCOME_OF[event]!,
      mistake: MISTAKE_OF[event],
      label: truth === NONE ? undefined : labels[columns.truthLabels[truth]!],
      predicted: prediction === NONE ? undefined : labels[columns.predictionLabels[prediction]!],
      iou: prediction === NONE ? undefined : Math.round(columns.ious[prediction]! * 100) / 100,
    });
  });
  return seen;
}

describe('outcomes that count', () => {
  it.each(CUTS)(
    'are those of predictions from a confidence, and of annotations that these do not find: %j',
    async (cuts) => {
      for (const [at, { pictures }] of made.entries())
        expect(sorted(await visited(at, cuts))).toEqual(sorted(expected(pictures, cuts)));
    },
  );

  it('pass a condition on the area of the annotation, or of a prediction that is wrong', async () => {
    const { columns, labels } = outcomesOf([
      {
        id: randomUUID(),
        truth: [{ label: 'car' }, { label: 'dog' }],
        predictions: [
          { label: 'car', confidence: 1, outcome: 'tp', truth: 0 },
          { label: 'car', confidence: 1, outcome: 'double', truth: 0 },
        ],
      },
    ]);
    const outcomes = {
      labels,
      columns: { ...columns, truthAreas: Float32Array.of(10, 30), predictionAreas: Float32Array.of(90, 50) },
    };
    const passing = async (area: readonly [number, number]): Promise<string[]> => {
      const { passes } = testOfOutcomes(outcomes, { outcomes: ['tp', 'fp', 'fn'], area });
      const found: string[] = [];
      await visitCounted(outcomes, { confidence: 0 }, (event, _, truth, prediction) => {
        if (passes(event, truth, prediction)) found.push(OUTCOME_OF[event]!);
      });
      return found;
    };
    expect(await passing([0, 10])).toEqual(['tp']);
    expect(await passing([20, 40])).toEqual(['fn']);
    expect(await passing([50, 100])).toEqual(['fp']);
    expect(await passing([0, 100])).toEqual(['tp', 'fp', 'fn']);
  });

  it.each<[string, OutcomeCondition, (seen: Seen) => boolean]>([
    ['one outcome', { outcomes: ['fn'] }, ({ outcome }) => outcome === 'fn'],
    [
      'labels',
      { outcomes: ['tp', 'fp', 'fn'], labels: ['car', 'bus', 'none'] },
      ({ label }) => label === 'car' || label === 'bus',
    ],
    [
      'a predicted label',
      { outcomes: ['fp', 'fn'], predicted: ['dog'] },
      (seen) => seen.outcome !== 'tp' && seen.predicted === 'dog',
    ],
    [
      'mistakes, and what is right',
      { outcomes: ['tp', 'fp'], mistakes: ['double', 'missed'] },
      ({ outcome, mistake }) => outcome === 'tp' || mistake === 'double',
    ],
    ['missed ones', { outcomes: ['fn'], mistakes: ['missed'] }, ({ mistake }) => mistake === 'missed'],
    [
      'an overlap',
      { outcomes: ['tp', 'fp', 'fn'], iou: [0.3, 0.9] },
      ({ iou }) => iou !== undefined && iou >= 0.3 && iou <= 0.9,
    ],
    [
      'all of it',
      { outcomes: ['fp'], labels: ['car'], predicted: ['van'], mistakes: ['wrong_class'], iou: [0.5, 1] },
      (seen) =>
        seen.mistake === 'wrong_class' && seen.outcome === 'fp' && seen.label === 'car' && seen.predicted === 'van',
    ],
  ])('pass a condition on %s', async (_, condition, passes) => {
    let found = 0;
    for (const [at, { pictures }] of made.entries()) {
      const seen = await visited(at, CUTS[1]!, condition);
      expect(sorted(seen)).toEqual(sorted(expected(pictures, CUTS[1]!).filter(passes)));
      found += seen.length;
    }
    expect(found).toBeGreaterThan(0);
  });

  it('are counted by label and mistake', async () => {
    for (const { pictures, outcomes } of made) {
      const counted = await countOutcomes(outcomes, CUTS[2]!);
      const seen = expected(pictures, CUTS[2]!);
      const count = (passes: (each: Seen) => boolean): number => seen.filter(passes).length;
      const mistakesOf = (passes: (each: Seen) => boolean) =>
        Object.fromEntries(
          MISTAKES.map((mistake) => [
            mistake,
            count(
              (each) => each.mistake === mistake && passes(each) && (each.outcome === 'fp' || mistake === 'missed'),
            ),
          ]),
        );
      const ofLabel = (label: string) => (each: Seen) =>
        (each.outcome === 'fp' ? each.predicted : each.label) === label;
      expect(counted).toEqual(
        outcomes.labels
          .map((label) => ({
            label,
            tp: count((each) => each.outcome === 'tp' && each.label === label),
            fp: count((each) => each.outcome === 'fp' && each.predicted === label),
            fn: count((each) => each.outcome === 'fn' && each.label === label),
            mistakes: mistakesOf(ofLabel(label)),
          }))
          .filter(({ tp, fp, fn }) => tp + fp + fn > 0),
      );
      const all = sumOfCounts(counted);
      expect(all.tp + all.fp + all.fn).toBe(seen.length);
      expect(all.mistakes).toEqual(mistakesOf(() => true));
    }
  });
});

describe('a confusion matrix', () => {
  it('has each prediction that counts in one cell, and each annotation without one over it', async () => {
    for (const { pictures, outcomes } of made) {
      const hasPicture = (picture: number): boolean => picture % 5 !== 0;
      const labels = await largestLabels(outcomes, 10);
      const { cells, leftOut } = await confusionOf(outcomes, CUTS[1]!, labels, hasPicture);
      const byCell = new Map<string, Seen[]>();
      for (const seen of expected(pictures, CUTS[1]!)) {
        if (seen.outcome === 'fn' && seen.mistake === 'wrong_class') continue;
        const isBetween = seen.outcome !== 'fp' || seen.mistake === 'wrong_class';
        const cell = JSON.stringify([isBetween ? seen.label : null, seen.predicted ?? null]);
        byCell.set(cell, [...(byCell.get(cell) ?? []), seen]);
      }
      const nameOf = (label: number): string | null => outcomes.labels[label] ?? null;
      expect(leftOut).toBe(0);
      expect(
        new Map(cells.map((cell) => [JSON.stringify([nameOf(cell.truth), nameOf(cell.predicted)]), cell])),
      ).toEqual(
        new Map(
          Array.from(byCell, ([cell, seen]) => [
            cell,
            expect.objectContaining({
              outcomes: [...new Set(seen.map(({ outcome }) => outcome))],
              count: seen.length,
              pictures: new Set(seen.map(({ picture }) => picture).filter(hasPicture)).size,
            }),
          ]),
        ),
      );
    }
  });

  it('leaves out labels, and counts what it leaves out', async () => {
    const { outcomes } = made[0]!;
    const all = await confusionOf(outcomes, CUTS[0]!, await largestLabels(outcomes, 10), () => true);
    const some = await confusionOf(outcomes, CUTS[0]!, await largestLabels(outcomes, 2), () => true);
    const total = (cells: typeof all.cells): number => cells.reduce((sum, { count }) => sum + count, 0);
    expect(some.leftOut).toBeGreaterThan(0);
    expect(total(some.cells) + some.leftOut).toBe(total(all.cells));
  });
});
