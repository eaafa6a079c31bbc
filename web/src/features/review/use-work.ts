import { useEffect, useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ConflictError } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { toast } from '../../design/toast';
import { annotationsQuery } from '../../media/annotations/annotation-query';
import { mediaQuery } from '../../media/media-query';
import { texts } from '../../texts';
import { LOOK_AGAIN_MS, type Item } from './review-queries';

const { work: words } = texts.review;
/** Items that a person has at once; so the next picture is there when the one before is answered. */
const AHEAD = 8;
/** Of the API. */
const MOST_AHEAD = 20;

export interface GivenDecision {
  readonly verdict: 'answer' | 'skip' | 'flag';
  readonly labels?: string[];
  readonly choice?: string;
  readonly accepted?: boolean;
  readonly reason?: string;
}

interface QueuePath {
  readonly dataset_id: string;
  readonly queue_id: string;
}

/** Those whose decisions are on their way are handed out, too. */
const useHandedOut = (path: QueuePath, onTheirWay: number) =>
  useQuery({
    queryKey: keys.of(path.dataset_id, 'review', path.queue_id, 'next'),
    queryFn: async () => {
      const [body, askedAt] = [{ limit: Math.min(AHEAD + onTheirWay, MOST_AHEAD) }, performance.now()];
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

/** What a decision may have changed. */
function changed({ dataset_id: datasetId, queue_id: queueId }: QueuePath, { media_id: mediaId }: Item): void {
  void queries.invalidateQueries({ queryKey: keys.of(datasetId, 'review', queueId, 'queue') });
  void queries.invalidateQueries({ queryKey: keys.of(datasetId, 'media', mediaId) });
}

/** The items that were decided on here, and when: one that is handed out after that was rejected. */
function useGone() {
  const [gone, setGone] = useState<ReadonlyMap<string, number>>(new Map());
  return {
    onTheirWay: [...gone.values()].filter((time) => time === Infinity).length,
    isGone: ({ item_id: id }: Item, askedAt: number): boolean => askedAt <= (gone.get(id) ?? 0),
    add: ({ item_id: id }: Item, time: number) => setGone((before) => new Map(before).set(id, time)),
    remove: ({ item_id: id }: Item) => setGone((before) => new Map([...before].filter(([each]) => each !== id))),
  };
}

interface Sent {
  readonly item: Item;
  /** Ends when the service has the decision. */
  readonly answer: Promise<unknown>;
}

/** Takes decisions back, the last one first. */
function useTakeBack(path: QueuePath, onTakenBack: (item: Item) => void) {
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const without = ({ item_id: id }: Item) => setSent((before) => before.filter(({ item }) => item.item_id !== id));
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ item, answer }: Sent) => {
      await answer;
      const url = '/api/v1/dataset/{dataset_id}/review_queues/{queue_id}/items/{item_id}/decision';
      return answered(service.api.DELETE(url, { params: { path: { ...path, item_id: item.item_id } } }));
    },
    onSuccess: ({ undone }, { item }) => {
      if (undone === false) toast({ text: words.stays });
      onTakenBack(item);
    },
    onError: (failure) => toast({ text: words.notTakenBack(messageOf(failure)), isFailure: true }),
    onSettled: (_, __, { item }) => {
      without(item);
      changed(path, item);
    },
  });
  const last = sent.at(-1);
  return {
    add: (one: Sent) => setSent((before) => [...before, one]),
    remove: without,
    takeBack: last === undefined || isPending ? undefined : () => mutate(last),
  };
}

const isShort = (waiting: readonly Item[]): boolean => waiting.length <= AHEAD / 2;

/** Asks for more before the decisions on those before are made, which may take longer than the next answers. */
function useSupply(
  datasetId: string,
  waiting: readonly Item[],
  /** Undefined while the first ones are awaited. */
  refetch: ReturnType<typeof useHandedOut>['refetch'] | undefined,
): void {
  usePrefetched(datasetId, waiting.slice(1, 4));
  const isWanted = isShort(waiting);
  useEffect(() => {
    if (isWanted) void refetch?.({ cancelRefetch: false });
  }, [isWanted, refetch]);
}

/** Items that the person has, one after the other. Answers are sent while the next item is shown. */
export function useWork(datasetId: string, queueId: string) {
  const path = { dataset_id: datasetId, queue_id: queueId };
  const gone = useGone();
  /** An item that was taken back comes first. */
  const [again, setAgain] = useState<string | null>(null);
  const { data, error, refetch } = useHandedOut(path, gone.onTheirWay);
  const { items = [], askedAt = 0 } = data ?? {};
  const waiting = items
    .filter((item) => !gone.isGone(item, askedAt))
    .sort((one, other) => Number(other.item_id === again) - Number(one.item_id === again));
  const { add, remove, takeBack } = useTakeBack(path, (item) => {
    gone.remove(item);
    setAgain(item.item_id);
    void refetch();
  });
  const { mutateAsync } = useMutation({
    mutationFn: ({ item, given: body }: { readonly item: Item; readonly given: GivenDecision }) => {
      const url = '/api/v1/dataset/{dataset_id}/review_queues/{queue_id}/items/{item_id}/decision';
      return answered(service.api.POST(url, { params: { path: { ...path, item_id: item.item_id } }, body }));
    },
    onSuccess: (_, { item }) => gone.add(item, performance.now()),
    onError: (failure, { item }) => {
      toast({ text: words.failed(messageOf(failure)), isFailure: true });
      remove(item);
      // What somebody else has by now does not come back.
      if (!(failure instanceof ConflictError)) gone.remove(item);
    },
    onSettled: (_, __, { item }) => {
      changed(path, item);
      if (isShort(waiting)) void refetch();
    },
  });
  useSupply(datasetId, waiting, data && refetch);
  // At once: a mutation begins a moment later, and the next key would be for the same item.
  const decide = (item: Item, given: GivenDecision) => {
    gone.add(item, Infinity);
    const answer = mutateAsync({ item, given });
    answer.catch(() => undefined);
    add({ item, answer });
  };
  return {
    waiting,
    isFinished: data?.finished === true,
    isLoaded: data !== undefined,
    error,
    refetch,
    decide,
    takeBack,
  };
}

/** The details and pictures of the next items. */
function usePrefetched(datasetId: string, items: readonly Item[]): void {
  const ids = items.map(({ media_id: id }) => id).join();
  useEffect(() => {
    for (const id of ids.split(',').filter(Boolean)) {
      queries.query(annotationsQuery(datasetId, [id])).catch(() => undefined);
      void queries.query(mediaQuery(datasetId, id)).then(
        ({ image_uri: uri }) => {
          new Image().src = uri;
        },
        () => undefined,
      );
    }
  }, [datasetId, ids]);
}
