import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Annotation } from '../src/common/engine/annotations/annotation';
import type { EvaluationResult } from '../src/common/engine/evaluation/evaluation-result';
import { EvaluationRun } from '../src/common/engine/evaluation/evaluation-run';
import { planOf } from '../src/common/engine/evaluation/plan';
import { asCoco, batchesOf, randomSet, SET_TASKS, type CocoSet } from '../test/support/coco-sets';
import type { Bench, Report } from './bench';
import { figuresOfSets, timeOfTool, TOOLS, type ToolFigures } from '../test/support/coco-tools';
import { detections, type Sizes } from '../test/support/detections';
import { quantile } from './support/quantile';
import { storeDetections } from './support/stored-detections';
import type { StoredEvaluation } from './support/stored-evaluation.child';

const PYTHON = process.env['COCO_PYTHON'];
const SETS = Number(process.env['SETS'] ?? 500);
const PICTURES = Number(process.env['PICTURES'] ?? 5_000);
const LARGE = Number(process.env['LARGE'] ?? 145_000);
const EQUAL_SETS = 30;
const THIN = 4;
const ROUNDS = 3;
const NEAR = 1e-9;
const PICTURES_OF_BATCH = 5;
/** As COCO's validation set. */
const [TRUTH_OF_PICTURE, LABELS, DETECTIONS] = [36_781 / 5_000, 80, 100];
const DETECTIONS_OF_LARGE = 35;
const MIB = 2 ** 20;

async function resultOf(set: CocoSet): Promise<EvaluationResult> {
  await using run = new EvaluationRun(planOf(set.task, 'coco'));
  for (const batch of batchesOf(set, PICTURES_OF_BATCH)) await run.add(batch);
  return await run.finish();
}

function largestDifference(
  set: CocoSet,
  { metrics, perClass }: EvaluationResult,
  { stats, classes }: ToolFigures,
): number {
  const ofLabel = new Map(perClass.map(({ label, figures }) => [label, figures['AP']!]));
  const own = [
    ...Object.values(metrics).slice(0, stats.length),
    ...set.labels.map((label) => ofLabel.get(label) ?? -1),
  ];
  return Math.max(...[...stats, ...classes].map((value, at) => Math.abs(value - own[at]!)));
}

async function compareSets(report: Report, python: string): Promise<void> {
  const sets = Array.from({ length: SETS }, (_, seed) => randomSet(seed, SET_TASKS[seed % SET_TASKS.length]!));
  const expected = await figuresOfSets(python, sets.map(asCoco));
  let largest = 0;
  for (const [seed, set] of sets.entries()) {
    const difference = largestDifference(set, await resultOf(set), expected[seed]!);
    if (!(difference <= NEAR)) report.note(`seed ${seed}, ${set.task}: ${difference}`);
    largest = Math.max(largest, Number.isNaN(difference) ? Infinity : difference);
  }
  report.figure(
    `${SETS} sets of seeds 0 to ${SETS - 1}, largest difference`,
    largest,
    '',
    `<=${NEAR}`,
    largest <= NEAR,
  );
}

/** Nothing finds crowds, keypoints of which none is labelled, and polygons so thin that they cover no pixel. */
const isFindable = ({ crowd, keypoints, box }: Annotation): boolean =>
  crowd !== true &&
  Math.min(box![2], box![3]) > THIN &&
  (keypoints === undefined || keypoints.some((value, at) => at % 3 === 2 && value > 0));

async function compareEqual(report: Report): Promise<void> {
  let exact = 0;
  for (let seed = 0; seed < EQUAL_SETS; seed++) {
    const set = randomSet(seed, SET_TASKS[seed % SET_TASKS.length]!);
    const truth = set.truth.map((annotations) => annotations.filter(isFindable));
    const { metrics } = await resultOf({ ...set, truth, predictions: truth });
    const precisions = Object.entries(metrics).filter(([name]) => name.startsWith('AP') || name === 'f1');
    // -1 where no annotation has such a size, null without annotations.
    if (precisions.every(([, value]) => value === 1 || value === -1 || value === null)) exact += 1;
  }
  report.figure(
    'predictions equal to the truth, sets of 30 whose precisions are 1',
    exact,
    '',
    '30',
    exact === EQUAL_SETS,
  );
}

async function evaluated(folder: string, pictures: number): Promise<StoredEvaluation> {
  const child = fork(join(__dirname, 'support', 'stored-evaluation.child.js'), [folder, String(pictures)]);
  const [answer] = (await once(child, 'message')) as [StoredEvaluation];
  return answer;
}

async function timeTools(report: Report, python: string, folder: string, sizes: Sizes): Promise<void> {
  const { truth, results } = asCoco(detections(sizes)) as { readonly truth: object; readonly results: object };
  await writeFile(join(folder, 'truth.json'), JSON.stringify(truth));
  await writeFile(join(folder, 'results.json'), JSON.stringify(results));
  await storeDetections(folder, sizes);
  const rounds: StoredEvaluation[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await evaluated(folder, sizes.pictures));
  const seconds = quantile(
    rounds.map((round) => round.seconds),
    0.5,
  );
  report.figure(`${sizes.pictures} pictures`, seconds, 's', '<=5', seconds <= 5);
  for (const tool of TOOLS) {
    const theirs = await timeOfTool(python, tool, folder);
    const factor = theirs.seconds / seconds;
    const least = tool === 'fiftyone' ? 10 : 1;
    report.note(`${tool}: ${theirs.seconds.toFixed(1)} s, AP ${theirs.stats[0]} (own ${rounds[0]!.metrics['AP']})`);
    report.figure(`the time of ${tool}, in times of the own`, factor, '', `>${least}`, factor > least);
  }
}

async function timeLarge(report: Report, folder: string): Promise<void> {
  const sizes = {
    pictures: LARGE,
    truth: Math.round(LARGE * TRUTH_OF_PICTURE),
    labels: LABELS,
    detections: DETECTIONS_OF_LARGE,
  };
  await storeDetections(folder, sizes);
  const { seconds, mostBytes } = await evaluated(folder, LARGE);
  const boxes = LARGE * DETECTIONS_OF_LARGE;
  report.figure(`${LARGE} pictures, ${boxes} boxes`, seconds, 's', '<=180', seconds <= 180);
  report.figure('its memory', mostBytes / MIB, 'MiB', '<=2048', mostBytes <= 2_048 * MIB);
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'evaluation-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  name: 'evaluation',
  summary: 'figures of COCO compared with pycocotools, and the time beside it, faster-coco-eval and FiftyOne',
  async run(report) {
    if (PYTHON === undefined)
      throw new Error(
        'Set COCO_PYTHON to the path of a Python with the packages pycocotools, faster-coco-eval and fiftyone.',
      );
    const python = PYTHON;
    await compareSets(report, python);
    await compareEqual(report);
    const truth = Math.round(PICTURES * TRUTH_OF_PICTURE);
    const sizes = { pictures: PICTURES, truth, labels: LABELS, detections: DETECTIONS };
    await inFolder((folder) => timeTools(report, python, folder, sizes));
    await inFolder((folder) => timeLarge(report, folder));
  },
};
