import { useMemo } from 'react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { keys } from '../../api/keys';
import type { Evaluation, EvaluationPage, ListedEvaluation, NewEvaluation } from './evaluation';

const WHILE_RUNNING_MS = 1_500;
/** The most that the API lists at once. */
export const EVALUATIONS_PAGE = 100;

/** Below it are the answers about single ones. */
export const evaluationsKey = (datasetId: string) => keys.of(datasetId, 'evaluations');

const isRunning = ({ status }: Pick<Evaluation, 'status'>): boolean => status === 'RUNNING';

const areRunning = (data: EvaluationPage | undefined): boolean => data?.evaluations.some(isRunning) === true;

/** A page of the evaluations of a dataset, the newest first. */
export const useEvaluations = (datasetId: string, page = 0) =>
  useQuery({
    queryKey: [...evaluationsKey(datasetId), 'list', page],
    queryFn: async () => {
      const query = { limit: EVALUATIONS_PAGE, offset: page * EVALUATIONS_PAGE };
      const params = { path: { dataset_id: datasetId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/evaluations', { params }));
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (areRunning(state.data) ? WHILE_RUNNING_MS : false),
  });

/** Those with figures. */
export function useCompletedEvaluations(datasetId: string): readonly ListedEvaluation[] | undefined {
  const { data } = useEvaluations(datasetId);
  return useMemo(() => data?.evaluations.filter(({ completed_at: time }) => time !== null), [data]);
}

export const useEvaluation = (datasetId: string, evaluationId: string | undefined) =>
  useQuery({
    queryKey: [...evaluationsKey(datasetId), evaluationId, 'evaluation'],
    queryFn: () => {
      const params = { path: { dataset_id: datasetId, evaluation_id: evaluationId! } };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}', { params }));
    },
    enabled: evaluationId !== undefined,
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? WHILE_RUNNING_MS : false),
  });

export const useCreateEvaluation = (datasetId: string, onCreated: (evaluationId: string) => void) =>
  useMutation({
    mutationFn: (body: NewEvaluation) => {
      const params = { path: { dataset_id: datasetId } };
      return answered(service.api.POST('/api/v1/dataset/{dataset_id}/evaluations', { params, body }));
    },
    onSuccess: ({ evaluation_id: id }) => onCreated(id),
    onSettled: () => queries.invalidateQueries({ queryKey: evaluationsKey(datasetId) }),
  });
