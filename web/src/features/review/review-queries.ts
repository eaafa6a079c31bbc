import { useMutation, useQuery } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { toast } from '../../design/toast';
import type { Queue } from '../../media/reviewing/queue-draft';
import { texts } from '../../texts';

export type { Question, Queue } from '../../media/reviewing/queue-draft';
export type Progress = components['schemas']['ReviewProgress'];
export type Item = components['schemas']['ReviewItem'];

const { work: words } = texts.review;
export const LOOK_AGAIN_MS = 5_000;

const allOf = (datasetId: string) => keys.of(datasetId, 'review');

export const useQueues = (datasetId: string) =>
  useQuery({
    queryKey: keys.of(datasetId, 'review', 'list'),
    queryFn: async () => {
      const params = { path: { dataset_id: datasetId } };
      return (await answered(service.api.GET('/api/v1/dataset/{dataset_id}/review_queues', { params }))).queues;
    },
  });

export const useQueue = (datasetId: string, queueId: string) =>
  useQuery({
    queryKey: keys.of(datasetId, 'review', queueId, 'queue'),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId, queue_id: queueId } };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/review_queues/{queue_id}', { params }));
    },
  });

export const useRemoveQueue = (datasetId: string, { id, name }: Queue, onRemoved: () => void) =>
  useMutation({
    mutationFn: () => {
      const params = { path: { dataset_id: datasetId, queue_id: id } };
      return answered(service.api.DELETE('/api/v1/dataset/{dataset_id}/review_queues/{queue_id}', { params }));
    },
    onSuccess: () => {
      toast({ text: texts.review.remove.done(name) });
      onRemoved();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: allOf(datasetId) }),
  });

/** Answers that wait to be checked, and flagged items. */
export const useToCheck = (datasetId: string, queueId: string) =>
  useQuery({
    queryKey: keys.of(datasetId, 'review', queueId, 'to-check'),
    queryFn: async () => {
      const path = { dataset_id: datasetId, queue_id: queueId };
      const of = (state: 'to_review' | 'flagged') =>
        answered(
          service.api.GET('/api/v1/dataset/{dataset_id}/review_queues/{queue_id}/items', {
            params: { path, query: { state, limit: 100 } },
          }),
        );
      return (await Promise.all([of('to_review'), of('flagged')])).flatMap(({ items }) => items);
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? LOOK_AGAIN_MS : false),
  });

export const useCheck = (datasetId: string, queueId: string) =>
  useMutation({
    mutationFn: ({ item, ...body }: { readonly item: Item; readonly accepted: boolean; readonly reason?: string }) => {
      const params = { path: { dataset_id: datasetId, queue_id: queueId, item_id: item.item_id } };
      return answered(
        service.api.POST('/api/v1/dataset/{dataset_id}/review_queues/{queue_id}/items/{item_id}/review', {
          params,
          body,
        }),
      );
    },
    onError: (failure) => toast({ text: words.failed(messageOf(failure)), isFailure: true }),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.of(datasetId, 'review', queueId) }),
  });
