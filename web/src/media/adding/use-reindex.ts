import { useMutation } from '@tanstack/react-query';
import { queries, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { toast } from '../../design/toast';
import { texts } from '../../texts';

/** Cached answers of a dataset, its tasks and the list are out of date. */
export function datasetChanged(datasetId: string): void {
  for (const queryKey of [keys.datasets, keys.tasks, keys.dataset(datasetId)])
    void queries.invalidateQueries({ queryKey });
}

export const useReindex = (datasetId: string, started = texts.adding.reindex.started) =>
  useMutation({
    mutationFn: () => service.dataset(datasetId).reindex(),
    onSuccess: () => toast({ text: started }),
    onError: (error) => toast({ text: messageOf(error), isFailure: true }),
    onSettled: () => datasetChanged(datasetId),
  });
