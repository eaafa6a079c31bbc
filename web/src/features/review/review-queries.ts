import { useEffect, useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ConflictError, type components } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { toast } from '../../design/toast';
import { mediaQuery } from '../../media/media-query';
import type { Queue } from '../../media/reviewing/queue-draft';
import { texts } from '../../texts';

export type { Question, Queue } from '../../media/reviewing/queue-draft';
export type Progress = components['schemas']['ReviewProgress'];
export type Item = components['schemas']['ReviewItem'];

const { work: words } = texts.review;
/** Items that a person has at once; so the next picture is there when the one before is answered. */
const AHEAD = 8;
const LOOK_AGAIN_MS = 5_000;

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

export interface GivenDecision {
  readonly verdict: 'answer' | 'skip' | 'flag';
  readonly labels?: string[];
  readonly choice?: string;
  readonly accepted?: boolean;
  readonly reason?: string;
}

/** Items that the person has, one after the other. Answers are sent while the next item is shown. */
export function useWork(datasetId: string, queueId: string) {
  const path = { dataset_id: datasetId, queue_id: queueId };
  const queryKey = keys.of(datasetId, 'review', queueId, 'next');
  /** When the decisions on items were made: an item that is handed out after that was rejected. */
  const [gone, setGone] = useState<ReadonlyMap<string, number>>(new Map());
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async () => {
      const [body, askedAt] = [{ limit: AHEAD }, performance.now()];
      const url = '/api/v1/dataset/{dataset_id}/review_queues/{queue_id}/next';
      return { ...(await answered(service.api.POST(url, { params: { path }, body }))), askedAt };
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data.items.length === 0 && !state.data.finished ? LOOK_AGAIN_MS : false,
  });
  const { items = [], askedAt = 0 } = data ?? {};
  const waiting = items.filter(({ item_id: id }) => askedAt > (gone.get(id) ?? 0));
  const decision = useMutation({
    mutationFn: ({ item, given }: { readonly item: Item; readonly given: GivenDecision }) => {
      const params = { path: { ...path, item_id: item.item_id } };
      return answered(
        service.api.POST('/api/v1/dataset/{dataset_id}/review_queues/{queue_id}/items/{item_id}/decision', {
          params,
          body: given,
        }),
      );
    },
    onSuccess: (_, { item }) => setGone((before) => new Map(before).set(item.item_id, performance.now())),
    onError: (failure, { item }) => {
      toast({ text: words.failed(messageOf(failure)), isFailure: true });
      // What somebody else has by now does not come back.
      if (failure instanceof ConflictError) return;
      setGone((before) => new Map([...before].filter(([id]) => id !== item.item_id)));
    },
    onSettled: (_, __, { item }) => {
      void queries.invalidateQueries({ queryKey: keys.of(datasetId, 'review', queueId, 'queue') });
      void queries.invalidateQueries({ queryKey: keys.of(datasetId, 'media', item.media_id) });
      if (waiting.length <= AHEAD / 2) void refetch();
    },
  });
  usePrefetched(datasetId, waiting.slice(1, 4));
  // At once: a mutation begins a moment later, and the next key would be for the same item.
  const decide = (item: Item, given: GivenDecision) => {
    setGone((before) => new Map(before).set(item.item_id, Infinity));
    decision.mutate({ item, given });
  };
  return { waiting, isFinished: data?.finished === true, isLoaded: data !== undefined, error, refetch, decide };
}

/** The details and pictures of the next items. */
function usePrefetched(datasetId: string, items: readonly Item[]): void {
  const ids = items.map(({ media_id: id }) => id).join();
  useEffect(() => {
    for (const id of ids.split(',').filter(Boolean))
      void queries.query(mediaQuery(datasetId, id)).then(
        ({ image_uri: uri }) => {
          new Image().src = uri;
        },
        () => undefined,
      );
  }, [datasetId, ids]);
}

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
