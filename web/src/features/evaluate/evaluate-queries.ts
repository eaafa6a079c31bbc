import { useMutation } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { toast } from '../../design/toast';
import type { Evaluation } from '../../media/evaluating/evaluation';
import { evaluationsKey } from '../../media/evaluating/evaluation-queries';
import { texts } from '../../texts';

const { evaluate: words } = texts;
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

export const useRename = (datasetId: string, id: string, onRenamed: () => void) =>
  useMutation({
    mutationFn: (name: string) => {
      const params = { path: { dataset_id: datasetId, evaluation_id: id } };
      const body = { name };
      return answered(service.api.PATCH('/api/v1/dataset/{dataset_id}/evaluations/{evaluation_id}', { params, body }));
    },
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
