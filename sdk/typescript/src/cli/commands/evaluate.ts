import { writeFile } from 'node:fs/promises';
import type { Dataset, EvaluateOptions } from '../../dataset.js';
import type { Evaluation, EvaluationDetails, EvaluationSlice } from '../../evaluation.js';
import { take } from '../../paging.js';
import type { Command, Run } from '../command.js';
import { EXIT, UsageError } from '../exit.js';
import {
  CONDITION_HELP,
  failConditionOf,
  verdictOf,
  type FailCondition,
  type SliceCondition,
  type Verdict,
} from '../fail-conditions.js';
import { printEvaluation } from '../evaluation-tables.js';
import { junitReport } from '../junit.js';
import { localFile } from '../local-file.js';
import { waitShown } from '../progress.js';
import { FILTERS, queryOf } from './search.js';

const TASKS = ['detection', 'segmentation', 'keypoints', 'classification'] as const;
const PROTOCOLS = ['coco', 'voc', 'open_images'] as const;
const OWN_FILE = /\.(?:jsonl|ndjson)$/i;
const MOST_DETECTIONS = 10_000;
const MOST_KEPT = 1000;

const { entity: _, ...MEDIA_FILTERS } = FILTERS;

export const evaluate: Command = {
  name: 'evaluate',
  operands: 'DATASET',
  summary: 'Measure the predictions of a source against the truth, and fail if a figure is too low',
  details:
    `${CONDITION_HELP}\n` +
    `Exit code ${EXIT.conditionHolds}: a condition holds. Exit code ${EXIT.partly}: none holds, but some of the file was left out, such as predictions of pictures that the dataset does not have.`,
  options: {
    predictions: {
      type: 'string',
      multiple: true,
      value: 'FILE',
      help: 'First import this file, which replaces all that the source said; repeat it for the file with the pictures and categories of a list of results of COCO.',
    },
    source: { type: 'string', value: 'NAME', help: 'The source that is measured. Required.' },
    truth: { type: 'string', value: 'NAME', help: 'The source that is right; ground_truth by default.' },
    format: { type: 'string', value: 'FORMAT', help: 'Of the file, such as coco; told by its content by default.' },
    task: {
      type: 'string',
      value: 'TASK',
      help: 'detection (the default), segmentation, keypoints or classification.',
    },
    protocol: { type: 'string', value: 'NAME', help: 'Of boxes and masks: coco (the default), voc or open_images.' },
    name: { type: 'string', value: 'NAME', help: 'Of the evaluation; that of the source by default.' },
    iou: { type: 'string', value: 'X', help: 'How well a prediction must cover what it finds; 0.5 by default.' },
    confidence: {
      type: 'string',
      value: 'X',
      help: 'Predictions below it do not count; that with the best F1 by default.',
    },
    'max-detections': { type: 'string', value: 'N', help: 'Of a label in a picture; 100 by default, 20 of keypoints.' },
    'class-agnostic': { type: 'boolean', help: 'Labels need not match.' },
    options: {
      type: 'string',
      value: 'JSON',
      help: 'Further options of the API, such as \'{"hierarchy": [["cat", "animal"]]}\'; also class_confidences, sigmas, voc_points, verified, k and labels.',
    },
    'with-truth': { type: 'boolean', help: 'Only pictures about which the truth says something.' },
    'keep-up-to-date': {
      type: 'boolean',
      help: 'Run it again by itself once its sources or the media have changed.',
    },
    ...MEDIA_FILTERS,
    'fail-if': {
      type: 'string',
      multiple: true,
      value: 'CONDITION',
      help: "Fail if it holds, such as 'map50<0.60'; repeat it for several.",
    },
    keep: {
      type: 'string',
      value: 'N',
      help: 'Then delete the older evaluations of this source against this truth, but for so many; a dataset has 1,000 at most.',
    },
    junit: {
      type: 'string',
      value: 'FILE',
      help: 'Write a report for build servers, with a test case for each condition.',
    },
  },
  async run(run) {
    const measured = askedOf(run);
    const conditions = conditionsOf(run, measured);
    const asked = { ...measured, options: { ...measured.options, ...topsOf(conditions, measured) } };
    const kept = run.number('keep', Infinity, 1, MOST_KEPT);
    const files = await Promise.all(run.texts('predictions').map(fileOf));
    const started = Date.now();
    const dataset = await (await run.service()).findDataset(run.positionals[0]!);
    const query = await queryOf(run, dataset);
    const isFiltered = query.vql !== undefined || query.labels !== undefined;
    const evaluation = await begun(run, dataset, files, { ...asked, ...(isFiltered && { query }) });
    const { warnings, found } = await ended(run, dataset, evaluation);
    const verdicts = await verdictsOf(conditions, evaluation, found);
    await writeReport(run, verdicts, asked.predictions, (Date.now() - started) / 1000);
    if (kept < Infinity) await deleteOlder(kept, dataset, found);
    printEvaluation(run, found, verdicts, warnings);
    if (verdicts.some(({ holds }) => holds)) return EXIT.conditionHolds;
    return warnings.length === 0 ? EXIT.ok : EXIT.partly;
  },
};

async function ended(run: Run, dataset: Dataset, evaluation: Evaluation) {
  try {
    const { warnings } = await waitShown(run, (options) => dataset.waitFor(evaluation.taskId!, options));
    return { warnings, found: await waitShown(run, (options) => evaluation.wait(options)) };
  } catch (error) {
    if (run.signal.aborted)
      run.note(
        `The service goes on: "dms tasks ${run.positionals[0]!}" shows its task, and the console will have the evaluation ${evaluation.id}.`,
      );
    throw error;
  }
}

function oneOf<T extends string>(run: Run, name: string, values: readonly [T, ...T[]]): T {
  const given = run.text(name) ?? values[0];
  const found = values.find((value) => value === given);
  if (found === undefined) throw new UsageError(`--${name} must be one of ${values.join(', ')}`);
  return found;
}

type Asked = EvaluateOptions & {
  readonly task: EvaluationDetails['task'];
  readonly protocol: EvaluationDetails['protocol'];
  readonly options: NonNullable<EvaluateOptions['options']>;
};

function askedOf(run: Run): Asked {
  const source = run.text('source');
  if (source === undefined) throw new UsageError('Name the source that is measured: --source NAME');
  const [truth, name] = [run.text('truth'), run.text('name')];
  const has = (option: string): boolean => run.text(option) !== undefined;
  return {
    predictions: source,
    task: oneOf(run, 'task', TASKS),
    protocol: oneOf(run, 'protocol', PROTOCOLS),
    ...(truth !== undefined && { truth }),
    ...(name !== undefined && { name }),
    ...(run.flag('keep-up-to-date') && { keep_up_to_date: true }),
    options: {
      ...furtherOptions(run.text('options')),
      ...(has('iou') && { iou: run.number('iou', 0.5, 0.01, 1) }),
      ...(has('confidence') && { confidence: run.number('confidence', 0, 0, 1) }),
      ...(has('max-detections') && { max_detections: run.number('max-detections', 100, 1, MOST_DETECTIONS) }),
      ...(run.flag('class-agnostic') && { class_agnostic: true }),
      ...(run.flag('with-truth') && { pictures: 'with_truth' as const }),
    },
  };
}

/** Their names and values are checked by the service. */
function furtherOptions(text = '{}'): Asked['options'] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // Reported below.
  }
  throw new UsageError('--options must be a JSON object, such as {"k": [1, 3]}');
}

/** Conditions on other places than 1 and 5 are measured too. */
function topsOf(conditions: readonly FailCondition[], { options: { k = [1, 5] } }: Asked): Pick<Asked['options'], 'k'> {
  const named = conditions.flatMap(({ of, figure }) =>
    of.kind === 'all' && figure.startsWith('top_') ? Number(figure.slice('top_'.length)) : [],
  );
  return named.length === 0 ? {} : { k: [...new Set([...k, ...named])].sort((a, b) => a - b) };
}

function conditionsOf(run: Run, { task, protocol }: Asked): readonly FailCondition[] {
  const given = run.texts('fail-if');
  if (run.text('junit') !== undefined && given.length === 0) throw new UsageError('--junit needs --fail-if');
  return given.map((text) => failConditionOf(text, task, protocol));
}

async function fileOf(path: string): Promise<File> {
  if (OWN_FILE.test(path))
    throw new UsageError(
      `Import ${path} by "dms annotations import" first, and evaluate its source without --predictions`,
    );
  return localFile(path);
}

function begun(run: Run, dataset: Dataset, files: readonly File[], asked: Asked): Promise<Evaluation> {
  if (files.length === 0) return dataset.startEvaluation(asked);
  const format = run.text('format');
  return dataset.importAndEvaluate(files, asked, { mode: 'replace', ...(format !== undefined && { format }) });
}

const lowered = (figures: Readonly<Record<string, unknown>> | null): Record<string, number | null> =>
  Object.fromEntries(
    Object.entries(figures ?? {}).map(([name, value]) => [name.toLowerCase(), value as number | null]),
  );

async function verdictsOf(
  conditions: readonly FailCondition[],
  evaluation: Evaluation,
  found: EvaluationDetails,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const condition of conditions)
    verdicts.push(verdictOf(condition, await foundFigures(condition, evaluation, found)));
  return verdicts;
}

async function foundFigures({ of }: FailCondition, evaluation: Evaluation, found: EvaluationDetails) {
  if (of.kind === 'slice') {
    const slice = await sliceOf(evaluation, of.conditions);
    return slice && { ...slice, f1: slice.figure };
  }
  if (of.kind === 'label') {
    const own = found.per_class.find(({ label }) => label === of.label);
    return own && lowered(own);
  }
  const { n_pictures, n_truth, n_predictions } = found;
  const costs = Object.entries(found.error_costs ?? {}).map(([kind, cost]) => [`cost_${kind}`, cost]);
  return { ...lowered(found.metrics), ...Object.fromEntries(costs), n_pictures, n_truth, n_predictions };
}

async function sliceOf(
  evaluation: Evaluation,
  wanted: readonly SliceCondition[],
): Promise<EvaluationSlice | undefined> {
  for await (const slice of evaluation.slices({ by: wanted[0]!.by, all: true }))
    if (
      slice.conditions.length === wanted.length &&
      wanted.every(({ by, value }) =>
        slice.conditions.some((each) => each.by === by && (each.value === value || each.name === value)),
      )
    )
      return slice;
  return undefined;
}

async function deleteOlder(kept: number, dataset: Dataset, { truth, predictions }: EvaluationDetails): Promise<void> {
  const all = await take(dataset.evaluations({ truth, predictions }));
  for (const { id } of all.slice(kept)) await dataset.evaluation(id).delete();
}

async function writeReport(run: Run, verdicts: readonly Verdict[], source: string, seconds: number): Promise<void> {
  const path = run.text('junit');
  if (path === undefined) return;
  const cases = verdicts.map(({ condition, holds, found }) => ({
    name: condition.text,
    isFailed: holds,
    message: found,
  }));
  await writeFile(path, junitReport(run.positionals[0]!, source, seconds, cases));
}
