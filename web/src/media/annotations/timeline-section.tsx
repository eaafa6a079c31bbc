import { useState } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { answered, queries, service } from '../../api/client';
import { useMayChange } from '../../api/datasets';
import { messageOf, Pending } from '../../api/failure';
import { keys } from '../../api/keys';
import { Button } from '../../design/button';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { formatShortTime } from '../../texts/format';
import { Section } from '../media-section';
import { linesOf, type Change } from './change-lines';
import styles from './annotations.module.css';

const { timeline: words } = texts.annotations;
const PER_PAGE = 20;

/** The button that had the focus is gone. */
const focus = (list: HTMLElement | null) => list?.focus();

type MediaDetail = components['schemas']['MediaDetail'];

/** Who changed the annotations of a picture, when, from what and in which queue. It is read when it is opened. */
export function Timeline({
  datasetId,
  media: { type, media_id: id, parent },
  snapshotId,
}: {
  readonly datasetId: string;
  readonly media: MediaDetail;
  readonly snapshotId: string | undefined;
}) {
  const [opened, setOpened] = useState<string | null>(null);
  const pictureId = type === 'OBJECT' ? parent?.media_id : id;
  if (type === 'VIDEO' || pictureId === undefined || snapshotId !== undefined) return null;
  return (
    <Section title={words.title}>
      {opened === pictureId ? (
        <Changes {...{ datasetId, pictureId }} />
      ) : (
        <Button kind="plain" icon="clock" onPress={() => setOpened(pictureId)}>
          {words.open}
        </Button>
      )}
    </Section>
  );
}

function Changes({ datasetId, pictureId }: { readonly datasetId: string; readonly pictureId: string }) {
  const listing = useInfiniteQuery({
    queryKey: keys.of(datasetId, 'media', pictureId, 'timeline'),
    queryFn: ({ pageParam }) => {
      const query = { media_id: pictureId, limit: PER_PAGE, ...(pageParam !== null && { cursor: pageParam }) };
      const params = { path: { dataset_id: datasetId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/annotations/history', { params }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    staleTime: 0,
  });
  const changes = listing.data?.pages.flatMap((page) => page.changes) ?? [];
  const names = useQueueNames(
    datasetId,
    changes.some(({ queue_id: id }) => id !== null),
  );
  return (
    <>
      <Pending of={listing} height={60} />
      {listing.data !== undefined && changes.length === 0 && <p className={styles.note}>{words.none}</p>}
      {changes.length > 0 && (
        <ol ref={focus} tabIndex={-1} className={styles.timeline} aria-label={words.title}>
          {changes.map((change) => (
            <Entry key={change.change_id} {...{ datasetId, change, names }} />
          ))}
        </ol>
      )}
      {listing.hasNextPage && (
        <Button kind="plain" isDisabled={listing.isFetching} onPress={() => void listing.fetchNextPage()}>
          {words.earlier}
        </Button>
      )}
    </>
  );
}

/** By the ids of queues. */
function useQueueNames(datasetId: string, isWanted: boolean): ReadonlyMap<string, string> {
  const { data = [] } = useQuery({
    queryKey: keys.of(datasetId, 'review', 'list'),
    queryFn: async () => {
      const params = { path: { dataset_id: datasetId } };
      return (await answered(service.api.GET('/api/v1/dataset/{dataset_id}/review_queues', { params }))).queues;
    },
    enabled: isWanted,
  });
  return new Map(data.map(({ id, name }) => [id, name]));
}

function Entry({
  datasetId,
  change,
  names,
}: {
  readonly datasetId: string;
  readonly change: Change;
  readonly names: ReadonlyMap<string, string>;
}) {
  const mayChange = useMayChange(datasetId);
  const { source, mode, created_by: person, created_at: time, queue_id: queue, undone_by: undoneBy } = change;
  const { n_media: pictures } = change;
  const undo = useMutation({
    mutationFn: () => {
      const body = { change_id: change.change_id };
      const params = { path: { dataset_id: datasetId } };
      return answered(service.api.POST('/api/v1/dataset/{dataset_id}/annotations/undo', { params, body }));
    },
    onSuccess: () => toast({ text: words.undone(pictures ?? 1) }),
    onError: (error) => toast({ text: words.notUndone(messageOf(error)), isFailure: true }),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.dataset(datasetId) }),
  });
  const [medium] = change.media;
  const facts = [
    source,
    ...(mode === 'undo' ? [words.isUndo] : []),
    ...(queue === null ? [] : [words.queue(names.get(queue))]),
    ...(undoneBy === null ? [] : [words.wasUndone]),
  ];
  return (
    <li data-undone={undoneBy !== null}>
      <small>
        <bdi>{person}</bdi>, {formatShortTime(time)}
      </small>
      {(medium === undefined ? [] : linesOf(medium)).map((line, at) => (
        <p key={at} dir="auto">
          {line}
        </p>
      ))}
      <small dir="auto">{facts.join(', ')}</small>
      {mayChange && change.can_be_undone && (
        <Button kind="plain" icon="undo" isDisabled={undo.isPending} onPress={() => undo.mutate()}>
          {words.undo(pictures ?? 1)}
        </Button>
      )}
    </li>
  );
}
