import { evaluatePictures, type GivenPicture } from '../../../../../test/support/evaluate-pictures';
import { detections } from '../../../../../test/support/detections';
import { pictureId, randomSet } from '../../../../../test/support/coco-sets';
import type { Annotation } from '../../annotations/annotation';
import { ID_WORDS, putId } from '../../annotations/segment';
import { planOf, type EvaluationPlan } from '../plan';
import { sampledDifference, sampledInterval } from '../statistics/sampled-interval';
import { SAMPLES, timesInSamples } from '../statistics/resampling';

const CHECKED = [0, 1, 17, SAMPLES - 1];

const picturesOf = ({ truth, predictions }: Pick<ReturnType<typeof randomSet>, 'truth' | 'predictions'>) =>
  truth.map((own, at): GivenPicture => ({ truth: own, predictions: predictions[at]! }));

function idsOf(pictures: number): Uint32Array {
  const ids = new Uint32Array(pictures * ID_WORDS);
  for (let at = 0; at < pictures; at++) putId(ids, at, pictureId(at + 1));
  return ids;
}

/** The pictures of a sample, each as often as it is drawn. */
function drawn(pictures: readonly GivenPicture[], sample: number): GivenPicture[] {
  const times = timesInSamples(idsOf(pictures.length));
  return pictures.flatMap((picture, at) =>
    Array.from({ length: times[sample * pictures.length + at]! }, () => picture),
  );
}

/** Twelve pictures or more. Of a picture that is drawn twice, predictions with the same confidence would be in another order. */
const manyOf = (task: 'detection' | 'segmentation' | 'keypoints'): GivenPicture[] =>
  [3, 6, 9, 12, 15, 18]
    .flatMap((seed) => picturesOf(randomSet(seed, task)))
    .map(({ truth, predictions }) => ({
      truth,
      predictions: predictions.map((each, at) => ({ ...each, confidence: each.confidence! - at * 1e-6 })),
    }));

const labelled = (seed: number, labels: number, most: number): GivenPicture[] =>
  Array.from({ length: 40 }, (_, at) => {
    const label = (number: number): Annotation => ({ id: '', version: 1, label: `label ${number % labels}` });
    const of = at * 7 + seed;
    return {
      truth: Array.from({ length: 1 + (at % most) }, (__, nth) => label(of + nth)),
      predictions: [of, of + (at % 3), of + 5].map((number, nth) => ({
        ...label(number),
        confidence: ((at * 13 + nth * 29) % 97) / 97,
      })),
    };
  });

const PLANS: readonly [string, EvaluationPlan, GivenPicture[]][] = [
  ['COCO', planOf('detection', 'coco'), manyOf('detection')],
  ['COCO without labels', planOf('detection', 'coco', { classAgnostic: true }), manyOf('detection')],
  ['COCO of masks', planOf('segmentation', 'coco'), manyOf('segmentation')],
  ['COCO of keypoints', planOf('keypoints', 'coco'), manyOf('keypoints')],
  ['PASCAL VOC', planOf('detection', 'voc'), manyOf('detection')],
  ['PASCAL VOC at 11 points', planOf('detection', 'voc', { vocPoints: '11' }), manyOf('detection')],
  [
    'Open Images',
    planOf('detection', 'open_images', {
      hierarchy: [
        ['label 0', 'label 1'],
        ['label 1', 'thing'],
      ],
    }),
    manyOf('detection'),
  ],
  ['a single label', planOf('classification', 'coco', { k: [1, 2] }), labelled(1, 4, 1)],
  ['several labels', planOf('classification', 'coco'), labelled(2, 6, 3)],
];

describe('figures in samples', () => {
  it.each(PLANS)('are those of the drawn pictures: %s', (_, plan, pictures) => {
    const { samples, confidence, metrics } = evaluatePictures(plan, pictures);
    const names = Object.keys(samples);
    expect(names.length).toBeGreaterThanOrEqual(4);
    expect(Object.keys(metrics)).toEqual(expect.arrayContaining(names));
    const same = { ...plan, options: { ...plan.options, confidence } };
    for (const sample of CHECKED) {
      const expected = evaluatePictures(same, drawn(pictures, sample)).metrics;
      for (const name of names) expect([name, samples[name]![sample]]).toEqual([name, closeTo(expected[name]!)]);
    }
  });

  it('are none of few pictures', () => {
    expect(evaluatePictures(planOf('detection', 'coco'), manyOf('detection').slice(0, 9)).samples).toEqual({});
  });

  it('have no figure where nothing is to be found', () => {
    const found = (label: string): GivenPicture => ({
      truth: [{ label, box: [0, 0, 10, 10] }],
      predictions: [{ label, box: [0, 0, 10, 10], confidence: 0.5 }],
    });
    const nothing: GivenPicture = { truth: [], predictions: found('a').predictions };
    const { samples } = evaluatePictures(planOf('detection', 'coco'), [
      found('a'),
      ...Array.from({ length: 11 }, () => nothing),
    ]);
    expect(new Set(samples['AP50'])).toEqual(new Set([expect.any(Number), null] as unknown[]));
    const right = evaluatePictures(
      planOf('detection', 'coco'),
      Array.from({ length: 12 }, () => found('a')),
    );
    expect(new Set(right.samples['AP'])).toEqual(new Set([1]));
  });

  it('differ by nothing between equal predictions, and tell better ones apart', () => {
    const set = detections({ pictures: 200, truth: 1200, labels: 3, detections: 10 });
    const pictures = picturesOf(set);
    const plan = planOf('detection', 'coco');
    const first = evaluatePictures(plan, pictures);
    expect(
      sampledInterval(0, sampledDifference(first.samples['AP']!, evaluatePictures(plan, pictures).samples['AP']!)),
    ).toEqual([0, 0]);
    const fewer = pictures.map((picture) => ({ ...picture, predictions: picture.predictions.slice(1) }));
    const second = evaluatePictures(plan, fewer);
    const difference = second.metrics['AP']! - first.metrics['AP']!;
    const [low, high] = sampledInterval(difference, sampledDifference(first.samples['AP']!, second.samples['AP']!))!;
    expect(low).toBeLessThan(difference);
    expect(high).toBeLessThan(0);
  });
});

const closeTo = (figure: number | null): unknown =>
  figure === null || figure === -1 ? null : expect.closeTo(figure, 5);
