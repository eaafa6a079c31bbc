import { useMutation, useQuery } from '@tanstack/react-query';
import { ForbiddenError, NotFoundError, type components } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { isBusy, type DatasetDetails } from '../../api/datasets';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { toast } from '../../design/toast';
import { MOST_LISTED } from '../../media/media-query';
import { texts } from '../../texts';

export type Snapshot = components['schemas']['Snapshot'];
export type SnapshotDiff = components['schemas']['SnapshotDiff'];
type MediaList = SnapshotDiff['added'];

export const KINDS = ['added', 'removed', 'labels', 'tags', 'captions'] as const;
/** Of the annotations of a source. */
type SourceKind = `source:${string}`;
export type Kind = (typeof KINDS)[number] | SourceKind;

const SOURCE = 'source:';
export const isOfSource = (kind: Kind): kind is SourceKind => kind.startsWith(SOURCE);
const sourceOf = (kind: SourceKind): string => kind.slice(SOURCE.length);

export const kindsOf = ({ annotations }: SnapshotDiff): readonly Kind[] => [
  ...KINDS,
  ...annotations.map(({ source }): SourceKind => `source:${source}`),
];

export const kindName = (kind: Kind): string => (isOfSource(kind) ? sourceOf(kind) : texts.history.changes.kinds[kind]);

/** Ids of each kind that are asked for at once, and then the media that they name. */
export const PER_PAGE = MOST_LISTED;

/** Of two states; the earlier one is always a snapshot. */
export interface Comparison {
  readonly from: string;
  /** Null for the current state. */
  readonly to: string | null;
}

const WHILE_BUSY_MS = 1_500;

export const useSnapshots = (dataset: DatasetDetails) =>
  useQuery({
    queryKey: keys.of(dataset.id, 'snapshots'),
    queryFn: () => service.dataset(dataset.id).snapshots(),
    refetchInterval: ({ state }) =>
      isBusy(dataset) || state.data?.some(({ is_restoring: restoring }) => restoring) === true ? WHILE_BUSY_MS : false,
  });

/** Where snapshots are turned off; undefined if the error is another one. */
export function disabledWhere(error: unknown): 'dataset' | 'installation' | undefined {
  if (!(error instanceof ForbiddenError) || !error.message.startsWith('Snapshot feature')) return undefined;
  return error.message.includes('for this dataset') ? 'dataset' : 'installation';
}

/** How many annotations of a source differ; undefined if none do. */
export const annotationsOf = ({ annotations }: SnapshotDiff, kind: SourceKind) =>
  annotations.find(({ source }) => source === sourceOf(kind));

export function listOf(differences: SnapshotDiff, kind: Kind): MediaList {
  if (isOfSource(kind)) return annotationsOf(differences, kind)?.media ?? { count: 0, media_ids: [] };
  return kind === 'added' || kind === 'removed' ? differences[kind] : differences.changed[kind];
}

/** From a snapshot to another, or to the current state. */
export const diffQuery = (
  datasetId: string,
  { from, to }: Comparison,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
) => ({
  queryKey: keys.of(datasetId, 'diff', from, to, limit, offset),
  queryFn: () => {
    const params = {
      path: { dataset_id: datasetId, snapshot_id: from },
      query: { limit, offset, ...(to === null ? {} : { against: to }) },
    };
    return answered(service.api.GET('/api/v1/dataset/{dataset_id}/snapshot/{snapshot_id}/diff', { params }));
  },
});

/** A change of a dataset's snapshots that closes its dialog when it is accepted. */
export function useSnapshotAction<Result>(
  datasetId: string,
  act: () => Promise<Result>,
  {
    done,
    link,
    until,
    onClose,
  }: {
    readonly done?: (result: Result) => string;
    readonly link?: { readonly label: string; readonly href: string };
    /** The end of what `done` tells, where that goes on. */
    readonly until?: () => Promise<unknown>;
    readonly onClose: () => void;
  },
) {
  return useMutation({
    mutationFn: act,
    onSuccess: (result) => {
      if (done !== undefined)
        toast({
          text: done(result),
          ...(link === undefined ? {} : { link }),
          ...(until === undefined ? {} : { until: until() }),
        });
      onClose();
    },
    onError: (error) => {
      if (!(error instanceof NotFoundError)) return;
      // A deleted snapshot leaves the page, and its dialog with it.
      toast({ text: messageOf(error), isFailure: true });
      onClose();
    },
    onSettled: () => {
      for (const queryKey of [keys.datasets, keys.tasks, keys.dataset(datasetId)])
        void queries.invalidateQueries({ queryKey });
    },
  });
}

/** Until the clone that was started last is made. */
export async function untilCloned(): Promise<void> {
  for await (const task of service.tasks({ task_type: 'SNAPSHOT_CLONE' })) {
    await service.dataset(task.dataset_id).waitFor(task);
    return;
  }
}

const BASE = '/api/v1/dataset/{dataset_id}/snapshot/{snapshot_id}';

/** The calls that change snapshots. */
export const snapshotCalls = (datasetId: string, { snapshot_id: snapshotId }: Pick<Snapshot, 'snapshot_id'>) => {
  const path = { dataset_id: datasetId, snapshot_id: snapshotId };
  return {
    describe: (body: { readonly name: string; readonly description: string }) =>
      answered(service.api.PATCH(BASE, { params: { path }, body })),
    remove: () => answered(service.api.DELETE(BASE, { params: { path } })),
    restore: () => answered(service.api.POST(`${BASE}/restore`, { params: { path } })),
    clone: (withViews: boolean) =>
      answered(service.api.POST(`${BASE}/clone`, { params: { path, query: { with_views: withViews } } })),
  };
};
