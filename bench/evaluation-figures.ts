import type { EvaluationResult, Figures } from '../src/common/engine/evaluation/evaluation-result';
import { planOf } from '../src/common/engine/evaluation/plan';
import { evaluatePictures } from '../test/support/evaluate-pictures';
import type { Bench, Report } from './bench';
import {
  ANIMALS,
  drawnBoxes,
  drawnLabels,
  drawnPictureLabels,
  HIERARCHY,
  namesOf,
  type BoxedPicture,
  type LabelledPictures,
} from '../test/support/labelled-and-boxed';
import { askPlainFigures, type PlainFigures } from './support/plain-figures';

const PYTHON = process.env['FIGURES_PYTHON'];
const SETS = Number(process.env['SETS'] ?? 300);
const NEAR = 1e-9;
const IOU = 0.5;

type Result = Pick<EvaluationResult, 'metrics' | 'perClass'>;

interface Compared {
  readonly seed: number;
  readonly given: object & { readonly labels: readonly string[] };
  readonly result: Result;
}

const seeds = Array.from({ length: SETS }, (_, seed) => seed);

function labelled(kind: LabelledPictures['kind'], seed: number): Compared {
  const given = drawnLabels(kind, seed);
  const { k, confidence } = given;
  const pictures = given.pictures.map(({ truth, scores }) => ({
    truth: truth.map((label) => ({ label })),
    predictions: Object.entries(scores).map(([label, score]) => ({ label, confidence: score })),
  }));
  const options = { k, labels: kind, ...(kind === 'multi' && { confidence }) };
  return { seed, given, result: evaluatePictures(planOf('classification', 'coco', options), pictures) };
}

const withFlags = ({ truth, predictions }: BoxedPicture): object => ({
  truth: truth.map((box) => ({ ...box, ignored: box.ignored === true, crowd: box.crowd === true })),
  predictions,
});

function ofVoc(vocPoints: 'all' | '11', seed: number): Compared {
  const { labels, pictures } = drawnBoxes(seed, namesOf(1 + (seed % 4)));
  const given = { kind: 'voc', labels, pictures: pictures.map(withFlags), points: vocPoints, iou: IOU };
  return { seed, given, result: evaluatePictures(planOf('detection', 'voc', { vocPoints, iou: IOU }), pictures) };
}

function ofOpenImages(hierarchy: typeof HIERARCHY | readonly [], seed: number): Compared {
  const { labels, pictures } = drawnBoxes(seed, ANIMALS, 0.2);
  const given = { kind: 'open_images', labels, pictures: pictures.map(withFlags), hierarchy, iou: IOU };
  return {
    seed,
    given,
    result: evaluatePictures(planOf('detection', 'open_images', { hierarchy, iou: IOU }), pictures),
  };
}

function ofVerified(seed: number): Compared {
  const drawn = drawnBoxes(seed, ANIMALS, 0.2);
  const said = drawnPictureLabels(seed, drawn);
  const pictures = drawn.pictures.map((picture, at) => ({ ...withFlags(picture), said: said[at] }));
  const given = { kind: 'open_images', labels: drawn.labels, pictures, hierarchy: HIERARCHY, iou: IOU };
  const withLabels = drawn.pictures.map(({ truth, predictions }, at) => ({
    truth: [...truth, ...said[at]!],
    predictions,
  }));
  const plan = planOf('detection', 'open_images', { hierarchy: HIERARCHY, iou: IOU, verified: true });
  return { seed, given, result: evaluatePictures(plan, withLabels) };
}

interface Difference {
  readonly figure: string;
  /** Infinite where only one of both has the figure. */
  readonly by: number;
}

function largestDifference({ given, result }: Compared, expected: PlainFigures): Difference {
  const ofLabel = new Map(result.perClass.map(({ label, figures }) => [label, figures]));
  const differences = given.labels.flatMap((label, at) => {
    const figures = ofLabel.get(label);
    return figures === undefined ? [] : differencesOf(figures, expected.labels[at]!, `${label} `);
  });
  return [...differencesOf(result.metrics, expected.metrics, ''), ...differences].reduce(larger);
}

const larger = (one: Difference, other: Difference): Difference => (one.by >= other.by ? one : other);

function differencesOf(figures: Figures, expected: Figures, of: string): Difference[] {
  return Object.entries(expected).map(([name, value]) => {
    const own = figures[name] ?? null;
    const isOnlyOne = (own === null) !== (value === null);
    return { figure: `${of}${name}`, by: isOnlyOne ? Infinity : Math.abs((own ?? 0) - (value ?? 0)) };
  });
}

async function compare(report: Report, python: string, name: string, sets: readonly Compared[]): Promise<void> {
  const plain = await askPlainFigures(
    python,
    sets.map(({ given }) => given),
  );
  const differences = sets.map((set, at) => ({ ...largestDifference(set, plain[at]!), seed: set.seed }));
  for (const { seed, figure, by } of differences)
    if (by > NEAR) report.note(`${name}, seed ${seed}: ${figure} by ${by}`);
  const { by } = differences.reduce((one, other) => (one.by >= other.by ? one : other));
  report.figure(`${name}, ${sets.length} sets: largest difference`, by, '', `<=${NEAR}`, by <= NEAR);
}

export const bench: Bench = {
  name: 'evaluation-figures',
  summary: 'figures of labels, PASCAL VOC and Open Images, compared with other programs (`SETS=30` for fewer)',
  async run(report) {
    if (PYTHON === undefined)
      throw new Error('Set FIGURES_PYTHON to the path of a Python with the packages scikit-learn and krippendorff.');
    report.note(`seeds 0 to ${SETS - 1}`);
    await compare(
      report,
      PYTHON,
      'one label each',
      seeds.map((seed) => labelled('single', seed)),
    );
    await compare(
      report,
      PYTHON,
      'several labels each',
      seeds.map((seed) => labelled('multi', seed)),
    );
    await compare(
      report,
      PYTHON,
      'VOC at all points',
      seeds.map((seed) => ofVoc('all', seed)),
    );
    await compare(
      report,
      PYTHON,
      'VOC at 11 points',
      seeds.map((seed) => ofVoc('11', seed)),
    );
    await compare(
      report,
      PYTHON,
      'Open Images',
      seeds.map((seed) => ofOpenImages([], seed)),
    );
    await compare(
      report,
      PYTHON,
      'Open Images with a hierarchy',
      seeds.map((seed) => ofOpenImages(HIERARCHY, seed)),
    );
    await compare(report, PYTHON, 'Open Images with verified labels', seeds.map(ofVerified));
  },
};
