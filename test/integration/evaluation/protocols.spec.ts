import { textOfRuns } from '../../../src/common/engine/annotations/mask-runs';
import { Additions } from '../../support/additions';
import { EvaluationClient } from '../../support/evaluation-client';
import { SourceClient } from '../../support/source-client';
import { runningApp } from '../../support/test-app';

const FILES = ['0.jpg', '1.jpg', '2.jpg'];

const SHAPES = {
  boxes: { type: 'box', x: 10, y: 10, width: 60, height: 60 },
  masks: { type: 'mask', width: 160, height: 120, counts: textOfRuns([1_200, 6_000, 12_000]) },
  polygons: { type: 'polygon', rings: [[10, 10, 90, 10, 90, 80, 10, 80]] },
  keypoints: { type: 'keypoints', points: Array.from({ length: 17 }, (_, at) => [20 + 5 * at, 30 + 2 * at, 2]).flat() },
  labels: null,
} as const;
type Kind = keyof typeof SHAPES;

const CASES: readonly [kind: Kind, asked: object, figures: readonly string[]][] = [
  ['boxes', { task: 'detection' }, ['AP', 'AP50', 'AP75', 'AR100']],
  ['boxes', { task: 'detection', protocol: 'voc' }, ['mAP']],
  ['boxes', { task: 'detection', protocol: 'voc', options: { voc_points: '11' } }, ['mAP']],
  ['boxes', { task: 'detection', protocol: 'open_images', options: { hierarchy: [['cat', 'animal']] } }, ['mAP']],
  ['masks', { task: 'segmentation' }, ['AP', 'AR100']],
  ['polygons', { task: 'segmentation' }, ['AP', 'AR100']],
  ['masks', { task: 'segmentation', protocol: 'voc' }, ['mAP']],
  ['keypoints', { task: 'keypoints' }, ['AP', 'AP50', 'AR']],
  ['labels', { task: 'classification' }, ['accuracy', 'balanced_accuracy', 'top_1', 'kappa']],
];

describe('evaluations by each task and protocol', () => {
  const running = runningApp();
  let api: Additions['api'];
  let sources: SourceClient;
  let evaluations: EvaluationClient;

  beforeAll(async () => {
    const additions = new Additions(running);
    api = additions.api;
    // Pictures of 160 by 120 pixels.
    const dataset = await additions.indexed('Protocols', await additions.writeFolder('Pictures', [0, 1, 2]));
    sources = new SourceClient(additions.api, dataset);
    evaluations = new EvaluationClient(additions.api, dataset);
    for (const [kind, shape] of Object.entries(SHAPES)) {
      const said = FILES.map((file, at) => ({ file_name: file, label: at === 0 ? 'dog' : 'cat', shape }));
      await sources.send({ source: kind, annotations: said });
      const found = said.map((each, at) => ({ ...each, confidence: 0.9 - at / 10 }));
      await sources.send({ source: `${kind}-found`, annotations: found });
      await sources.send({
        source: `${kind}-missed`,
        annotations: found.map((each) => ({ ...each, label: each.label === 'cat' ? 'dog' : 'cat' })),
      });
    }
  });

  it.each(CASES)('are 1 for the same %s, and 0 for wrong labels: %j', async (kind, asked, figures) => {
    const same = await evaluations.completed({ ...asked, truth: kind, predictions: `${kind}-found` });
    for (const figure of figures) expect([figure, same.metrics![figure]]).toEqual([figure, expect.closeTo(1, 9)]);
    expect(same).toMatchObject({ n_truth: 3, n_predictions: 3, metrics: { precision: 1, recall: 1, f1: 1 } });
    const wrong = await evaluations.completed({ ...asked, truth: kind, predictions: `${kind}-missed` });
    const [first] = figures;
    expect([first, wrong.metrics![first!]]).toEqual([first, expect.closeTo(0, 9)]);
  });

  it('are compared with others of the same task, by the figures that each has', async () => {
    const labels = { task: 'classification', truth: 'labels' };
    const right = await evaluations.completed({ ...labels, predictions: 'labels-found' });
    await sources.send({
      source: 'labels-mixed',
      annotations: FILES.map((file_name) => ({ file_name, label: 'cat', shape: null, confidence: 0.9 })),
    });
    const mixed = await evaluations.completed({ ...labels, predictions: 'labels-mixed' });
    const path = evaluations.path(`/${right.id}/comparison?with=${mixed.id}`);
    const { figures } = await api.must<{ figures: { name: string; a: number; b: number }[] }>(200, 'GET', path);
    for (const name of ['precision', 'recall', 'f1', 'accuracy'])
      expect(figures.filter((each) => each.name === name)).toMatchObject([
        { a: right.metrics![name], b: mixed.metrics![name] },
      ]);
    const masks = { truth: 'masks', predictions: 'masks-found' };
    const [one, other] = [
      await evaluations.completed({ ...masks, task: 'detection' }),
      await evaluations.completed({ ...masks, task: 'segmentation' }),
    ];
    expect(await api.ask('GET', evaluations.path(`/${one.id}/comparison?with=${other.id}`))).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/detection.*segmentation/) as unknown },
    });
  });

  it('fail with a sentence if sigmas do not fit the keypoints, and can be run again', async () => {
    const { evaluation_id: id } = await evaluations.start({
      task: 'keypoints',
      truth: 'keypoints',
      predictions: 'keypoints-found',
      options: { sigmas: [0.1, 0.2] },
    });
    const failed = await evaluations.untilOver(id);
    expect(failed).toMatchObject({ status: 'FAILED', metrics: null });
    expect(failed.error).toMatch(/sigma/i);
    await evaluations.runAgain(id);
    expect(await evaluations.untilOver(id)).toMatchObject({ status: 'FAILED', error: failed.error });
  });
});
