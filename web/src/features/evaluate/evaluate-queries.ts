import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { toast } from '../../design/toast';
import { tasksOf } from '../../media/adding/dataset-changes';
import type { Evaluation } from '../../media/evaluating/evaluation';
import { evaluationsKey } from '../../media/evaluating/evaluation-queries';
import { texts } from '../../texts';

const { evaluate: words } = texts;
export const SLICES_PAGE = 50;

/** What figures are asked of: the evaluation, and the confidence from which predictions count. */
export interface Asked {
  readonly datasetId: string;
  readonly evaluationId: string;
  /** The time of the last run: its figures are others. */
  readonly completedAt: string | null;
  /** Null for that of the evaluation. */
  readonly confidence: number | null;
}

const keyOf = ({ datasetId, evaluationId, completedAt }: Asked, ...rest: readonly unknown[]) => [
  ...evaluationsKey(datasetId),
  evaluationId,
  completedAt,
  ...rest,
];

const paramsOf = <Query extends object>({ datasetId, evaluationId, confidence }: Asked, query: Query) => ({
  path: { dataset_id: datasetId, evaluation_id: evaluationId },
  query: { ...query, ...(confidence === null ? {} : { confidence: String(confidence) }) },
});

export const useCounts = (asked: Asked) =>
  useQuery({
    queryKey: keyOf(asked, 'counts', asked.confidence),
    queryFn: () => {
      const params = paramsOf(asked, {});
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/counts', { params }));
    },
    placeholderData: keepPreviousData,
  });

/** Whether the predictions of an evaluation are still being imported. */
export function useIsImporting(
  datasetId: string,
  { status, task_id: taskId, completed_at: completedAt }: Pick<Evaluation, 'status' | 'task_id' | 'completed_at'>,
): boolean {
  const { data: tasks = [] } = useQuery({
    queryKey: [...keys.tasks, datasetId, taskId],
    queryFn: () => tasksOf(datasetId),
    enabled: status === 'RUNNING' && completedAt === null,
  });
  return tasks.some((task) => task.task_id === taskId && task.task_type === 'ANNOTATION_IMPORT');
}

export type Counts = NonNullable<ReturnType<typeof useCounts>['data']>;

export const useConfusion = (asked: Asked, isWanted: boolean) =>
  useQuery({
    queryKey: keyOf(asked, 'confusion', asked.confidence),
    queryFn: () => {
      const params = paramsOf(asked, {});
      return answered(
        service.api.GET('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/confusion', { params }),
      );
    },
    placeholderData: keepPreviousData,
    enabled: isWanted,
  });

export type Confusion = NonNullable<ReturnType<typeof useConfusion>['data']>;

/** Of one label, or of all. */
export const useCurves = (asked: Asked, label: string | undefined, precision: number | undefined) =>
  useQuery({
    queryKey: keyOf(asked, 'curves', label ?? null, precision ?? null),
    queryFn: () => {
      const query = {
        ...(label !== undefined && { label }),
        ...(precision !== undefined && { precision: String(precision) }),
      };
      const params = { path: { dataset_id: asked.datasetId, evaluation_id: asked.evaluationId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/curves', { params }));
    },
    placeholderData: keepPreviousData,
  });

export type Curves = NonNullable<ReturnType<typeof useCurves>['data']>;

/** False where all predictions count as entirely sure, as those without a confidence do. */
export function useHasConfidences(asked: Asked): boolean {
  const { data } = useCurves(asked, undefined, undefined);
  const filled = data?.reliability.filter(({ n }) => n > 0) ?? [];
  return filled.length === 0 || filled.some(({ confidence }) => confidence !== 1);
}

interface AskedSlices {
  readonly by: SlicedBy | undefined;
  /** Also those that are not worse beyond chance. */
  readonly isAll: boolean;
  readonly page: number;
}

export const useSlices = (asked: Asked, { by, isAll, page }: AskedSlices) =>
  useQuery({
    queryKey: keyOf(asked, 'slices', by ?? null, isAll, page),
    queryFn: () => {
      const ofPage = { limit: SLICES_PAGE, offset: page * SLICES_PAGE };
      const query = { ...ofPage, ...(isAll && { all: true }), ...(by !== undefined && { by }) };
      const params = { path: { dataset_id: asked.datasetId, evaluation_id: asked.evaluationId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/slices', { params }));
    },
    placeholderData: keepPreviousData,
  });

export type Slice = components['schemas']['EvaluationSlices']['slices'][number];
/** What a condition of a slice is about. */
export type SlicedBy = Slice['conditions'][number]['by'];

export const useFailures = (asked: Asked, outcome: FailedOutcome | undefined) =>
  useQuery({
    queryKey: keyOf(asked, 'failures', outcome ?? null),
    queryFn: () => {
      const query = outcome === undefined ? {} : { outcome };
      const params = { path: { dataset_id: asked.datasetId, evaluation_id: asked.evaluationId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/failures', { params }));
    },
    placeholderData: keepPreviousData,
  });

export type FailedOutcome = 'fp' | 'fn';
export type FailureGroup = components['schemas']['FailureGroups']['groups'][number];

export const useComparison = (asked: Asked, other: string) =>
  useQuery({
    queryKey: keyOf(asked, 'comparison', other),
    queryFn: () => {
      const params = {
        path: { dataset_id: asked.datasetId, evaluation_id: asked.evaluationId },
        query: { with: other },
      };
      return answered(
        service.api.GET('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/comparison', { params }),
      );
    },
  });

const changed = (datasetId: string) => queries.invalidateQueries({ queryKey: evaluationsKey(datasetId) });

export const useRunAgain = (datasetId: string, { id, name }: Pick<Evaluation, 'id' | 'name'>) =>
  useMutation({
    mutationFn: () => {
      const params = { path: { dataset_id: datasetId, evaluation_id: id } };
      return answered(service.api.POST('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}/runs', { params }));
    },
    onSuccess: () => toast({ text: words.again.started(name) }),
    onError: (error) => toast({ text: messageOf(error), isFailure: true }),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keys.tasks });
      return changed(datasetId);
    },
  });

const change = (
  datasetId: string,
  id: string,
  body: { readonly name: string } | { readonly keep_up_to_date: boolean },
) => {
  const params = { path: { dataset_id: datasetId, evaluation_id: id } };
  return answered(service.api.PATCH('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}', { params, body }));
};

export const useKeepUpToDate = (datasetId: string, { id, name }: Pick<Evaluation, 'id' | 'name'>) =>
  useMutation({
    mutationFn: (isKept: boolean) => change(datasetId, id, { keep_up_to_date: isKept }),
    onSuccess: ({ keep_up_to_date: isKept }) =>
      toast({ text: isKept ? words.keep.started(name) : words.keep.stopped(name) }),
    onError: (error) => toast({ text: messageOf(error), isFailure: true }),
    onSettled: () => changed(datasetId),
  });

export const useRename = (datasetId: string, id: string, onRenamed: () => void) =>
  useMutation({
    mutationFn: (name: string) => change(datasetId, id, { name }),
    onSuccess: onRenamed,
    onSettled: () => changed(datasetId),
  });

export const useRemoveEvaluation = (
  datasetId: string,
  { id, name }: Pick<Evaluation, 'id' | 'name'>,
  onRemoved: () => void,
) =>
  useMutation({
    mutationFn: () => {
      const params = { path: { dataset_id: datasetId, evaluation_id: id } };
      return answered(service.api.DELETE('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}', { params }));
    },
    onSuccess: () => {
      toast({ text: words.remove.done(name) });
      onRemoved();
    },
    onSettled: () => changed(datasetId),
  });

export type Comparison = NonNullable<ReturnType<typeof useComparison>['data']>;
