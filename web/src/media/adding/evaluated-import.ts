import type { components } from 'dataset-media-service-sdk';
import { changed, EMPTY_DRAFT, tasksIn, type EvaluationDraft } from '../evaluating/evaluation-draft';
import type { EvaluationTask } from '../evaluating/evaluation';
import { GROUND_TRUTH } from '../annotations/annotation-view';
import type { FilePreview, SourceImport } from './source-import';

type Source = components['schemas']['AnnotationSource'];

/** What people chose for the evaluation of an import; the rest follows from the files. */
export type ChosenEvaluation = Partial<Pick<EvaluationDraft, 'truth' | 'task' | 'protocol'>>;

/** Sources that what is imported can be compared with. */
export const truthsFor = (sources: readonly Source[], { source, mode }: SourceImport): readonly Source[] =>
  mode === 'delete' ? [] : sources.filter((each) => each.name !== source.trim() && tasksIn(each).length > 0);

/** What the files are about, as far as their beginning tells. */
function taskOf(preview: FilePreview | undefined): EvaluationTask | undefined {
  const first = preview?.first[0];
  if (first === undefined) return undefined;
  const byShape = { box: 'detection', polygon: 'segmentation', mask: 'segmentation', keypoints: 'keypoints' } as const;
  return first.shape === null ? 'classification' : byShape[first.shape.type];
}

/** With what people say, by the task that the files are about. Undefined without a source to compare with. */
export function importedDraft(
  chosen: ChosenEvaluation,
  truths: readonly Source[],
  { source }: SourceImport,
  preview: FilePreview | undefined,
): EvaluationDraft | undefined {
  const truth =
    truths.find(({ name }) => name === chosen.truth) ?? truths.find(({ name }) => name === GROUND_TRUTH) ?? truths[0];
  if (truth === undefined) return undefined;
  const wanted = chosen.task ?? taskOf(preview) ?? EMPTY_DRAFT.task;
  const tasks = tasksIn(truth);
  const task = tasks.includes(wanted) ? wanted : tasks[0]!;
  // What is imported is compared as if it had all that the truth has.
  const predictions = source.trim();
  const both = [truth, { ...truth, name: predictions }];
  return changed({ ...EMPTY_DRAFT, ...chosen }, { truth: truth.name, predictions, task }, both);
}
