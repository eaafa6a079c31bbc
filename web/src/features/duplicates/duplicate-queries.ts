import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { components } from 'dataset-media-service-sdk';
import { answered, queries, service } from '../../api/client';
import { useDataset, useMayChange } from '../../api/datasets';
import { messageOf } from '../../api/failure';
import { keys } from '../../api/keys';
import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { filtersOf, type ReviewState, type ViewSearch } from './review-state';

export type Member = components['schemas']['DuplicateMember'];
export type GroupsPage = components['schemas']['DuplicateGroups'];
export type Group = GroupsPage['groups'][number];
export type Overview = components['schemas']['DuplicateOverview'];

export const GROUPS_PER_PAGE = 20;
export const DECISIONS_PER_PAGE = 20;
const { duplicates: words } = texts;

/** Further effects of a decision. */
export interface Options {
  readonly tag: string | null;
  readonly carriesTags: boolean;
  readonly carriesTexts: boolean;
}

export interface Choice {
  readonly keep: readonly string[];
  readonly remove: readonly string[];
}

/** Viewers look at groups only. */
export const useMayDecide = (): boolean => useMayChange(useDataset().id);

export const useViews = (datasetId: string) =>
  useQuery({
    queryKey: keys.of(datasetId, 'views'),
    queryFn: async () => {
      const params = { path: { dataset_id: datasetId } };
      return (await answered(service.api.GET('/api/v1/dataset/{dataset_id}/views', { params }))).views;
    },
  });

/** Values that groups can be narrowed to, and folders that can be preferred. */
export const useScopes = (datasetId: string) =>
  useQuery({
    queryKey: keys.of(datasetId, 'facets', 'duplicates'),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query: { entity_type: 'IMAGES' as const } };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/facets', { params }));
    },
  });

/** Undefined while the view that narrows the groups is not known. */
export function useViewSearch(datasetId: string, { view }: ReviewState): ViewSearch | undefined {
  const { data } = useViews(datasetId);
  if (view === null) return NOT_NARROWED;
  const found = data?.find(({ id }) => id === view);
  if (found === undefined) return data === undefined ? undefined : NOT_NARROWED;
  return { caption: found.filters.caption, vql: found.filters.vql };
}

const NOT_NARROWED: ViewSearch = { caption: null, vql: [] };

function askedOf(state: ReviewState, view: ViewSearch | undefined) {
  const filters = filtersOf(state, view);
  const caption = view?.caption ?? null;
  return {
    duplicate_threshold: String(state.similarity),
    rule: state.rule,
    ...(state.rule === 'folder' ? { folders: JSON.stringify(state.folders) } : {}),
    ...(filters.length === 0 ? {} : { vql: JSON.stringify(filters) }),
    ...(caption === null ? {} : { caption }),
  };
}

export function useGroups(datasetId: string, state: ReviewState, view: ViewSearch | undefined) {
  const query = { ...askedOf(state, view), page_number: state.page, limit: GROUPS_PER_PAGE };
  return useQuery({
    queryKey: keys.of(datasetId, 'duplicates', 'groups', query),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/duplicates', { params }));
    },
    placeholderData: keepPreviousData,
    enabled: view !== undefined,
  });
}

export function useOverview(datasetId: string, state: ReviewState, view: ViewSearch | undefined) {
  const query = askedOf(state, view);
  return useQuery({
    queryKey: keys.of(datasetId, 'duplicates', 'overview', query),
    queryFn: () => {
      const params = { path: { dataset_id: datasetId }, query };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/duplicates/overview', { params }));
    },
    placeholderData: keepPreviousData,
    enabled: view !== undefined,
  });
}

export const useDecisions = (datasetId: string, page: number) =>
  useQuery({
    queryKey: keys.of(datasetId, 'duplicates', 'decisions', page),
    queryFn: () => {
      const params = {
        path: { dataset_id: datasetId },
        query: { page_number: page, limit: DECISIONS_PER_PAGE },
      };
      return answered(service.api.GET('/api/v1/dataset/{dataset_id}/duplicates/decisions', { params }));
    },
    placeholderData: keepPreviousData,
  });

const failed = (error: unknown): void => toast({ text: words.failed(messageOf(error)), isFailure: true });

/** Removes a group from the lists at once; the next ones are requested from the service. */
function forget(datasetId: string, groupId: string): void {
  queries.setQueriesData<GroupsPage>({ queryKey: keys.of(datasetId, 'duplicates', 'groups') }, (before) => {
    const groups = before?.groups.filter((each) => each.group_id !== groupId);
    if (before === undefined || groups === undefined || groups.length === before.groups.length) return before;
    return { ...before, groups, open_groups: before.open_groups - 1 };
  });
}

const changed = (datasetId: string) => queries.invalidateQueries({ queryKey: keys.of(datasetId) });

const optionsOf = ({ tag, carriesTags }: Options) => ({ tag, carry_tags: carriesTags });

/** Decides one group: the members as chosen, or all of a group that has more than the page shows. */
export const useDecide = (datasetId: string, state: ReviewState, options: Options) =>
  useMutation({
    mutationFn: ({ group, choice }: { readonly group: Group; readonly choice: Choice }) => {
      const params = { path: { dataset_id: datasetId } };
      const others = optionsOf(options);
      if (group.members.length === group.n_members)
        return answered(
          service.api.POST('/api/v1/dataset/{dataset_id}/duplicates/decisions', {
            params,
            body: { decisions: [{ keep: [...choice.keep], remove: [...choice.remove] }], ...others },
          }),
        );
      const body = {
        duplicate_threshold: state.similarity,
        group_id: group.group_id,
        rule: choice.remove.length === 0 ? ('all' as const) : state.rule,
        folders: [...state.folders],
        ...others,
      };
      return answered(service.api.POST('/api/v1/dataset/{dataset_id}/duplicates/decisions/by_rule', { params, body }));
    },
    onMutate: ({ group }) => forget(datasetId, group.group_id),
    onError: failed,
    onSettled: () => changed(datasetId),
  });

export const useAcceptAll = (datasetId: string, state: ReviewState, view: ViewSearch | undefined, options: Options) =>
  useMutation({
    mutationFn: async ({ withDoubtful }: { readonly withDoubtful: boolean }) => {
      const caption = view?.caption ?? null;
      const body = {
        duplicate_threshold: state.similarity,
        rule: state.rule,
        folders: [...state.folders],
        vql: [...filtersOf(state, view)],
        include_doubtful: withDoubtful,
        ...(caption === null ? {} : { caption }),
        ...optionsOf(options),
      };
      const params = { path: { dataset_id: datasetId } };
      const recorded = await answered(
        service.api.POST('/api/v1/dataset/{dataset_id}/duplicates/decisions/by_rule', { params, body }),
      );
      if (options.carriesTexts) await carryTexts(datasetId);
      return recorded;
    },
    onError: failed,
    onSettled: () => changed(datasetId),
  });

export const useUndo = (datasetId: string) =>
  useMutation({
    mutationFn: (query: { readonly batch_id: string } | { readonly decision_id: string }) => {
      const params = { path: { dataset_id: datasetId }, query };
      return answered(service.api.DELETE('/api/v1/dataset/{dataset_id}/duplicates/decisions', { params }));
    },
    onSuccess: ({ count }) => toast({ text: words.done.undone(count) }),
    onError: failed,
    onSettled: () => changed(datasetId),
  });

async function carryTexts(datasetId: string): Promise<void> {
  const params = { path: { dataset_id: datasetId } };
  const { media } = await answered(
    service.api.POST('/api/v1/dataset/{dataset_id}/duplicates/carry_annotations', { params }),
  );
  toast({ text: words.decided.carried(media) });
}

export const useCarryTexts = (datasetId: string) =>
  useMutation({
    mutationFn: () => carryTexts(datasetId),
    onError: failed,
    onSettled: () => changed(datasetId),
  });
