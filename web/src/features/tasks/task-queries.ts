import { useCallback, useEffect, useMemo, useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Task, TaskFilter } from 'dataset-media-service-sdk';
import { useParameters } from '../../design/parameters';
import { answered, service } from '../../api/client';
import { keys } from '../../api/keys';
import { isRunning, STATUSES } from './task-rules';

export const PAGE_SIZE = 25;
const WHILE_RUNNING_MS = 1_500;
const TICK_MS = 1_000;

export interface TaskSearch {
  readonly type: string;
  readonly status: string;
  readonly dataset: string;
  /** From 0. */
  readonly page: number;
}

function searchOf(params: URLSearchParams): TaskSearch {
  const page = Number(params.get('page') ?? 0);
  return {
    type: params.get('type') ?? '',
    status: params.get('status') ?? '',
    dataset: params.get('dataset') ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 0,
  };
}

/** Which tasks are shown. All of it is in the address. */
export function useTaskSearch(): readonly [TaskSearch, (part: Partial<TaskSearch>) => void] {
  const [params, changeParams] = useParameters();
  const search = useMemo(() => searchOf(params), [params]);
  const change = useCallback(
    (part: Partial<TaskSearch>) =>
      changeParams((current) => {
        const { type, status, dataset, page } = { ...searchOf(current), page: 0, ...part };
        const next = Object.entries({ type, status, dataset, page: page === 0 ? '' : String(page) });
        return new URLSearchParams(next.filter(([, value]) => value !== ''));
      }),
    [changeParams],
  );
  return [search, change];
}

const queryOf = ({ type, status, dataset, page }: TaskSearch) => {
  const known = STATUSES.find((each) => each === status);
  return {
    page: page + 1,
    page_size: PAGE_SIZE,
    ...(type === '' ? {} : { task_type: type as NonNullable<TaskFilter['task_type']> }),
    ...(known === undefined ? {} : { task_status: known }),
    ...(dataset === '' ? {} : { dataset_id: dataset }),
  };
};

/** Asked for again while one of them runs and the page is in sight. */
export const useTasks = (search: TaskSearch) => {
  const query = queryOf(search);
  return useQuery({
    queryKey: [...keys.tasks, query],
    queryFn: () => answered(service.api.GET('/api/v1/tasks', { params: { query } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.tasks.some(isRunning) === true ? WHILE_RUNNING_MS : false),
  });
};

export const useTaskFilters = () =>
  useQuery({
    queryKey: [...keys.tasks, 'filters'],
    queryFn: () => answered(service.api.GET('/api/v1/tasks/filters', {})),
  });

/** Goes on every second while it has to. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}

const timeOf = (text: string): number => Date.parse(`${text}Z`);

export function useDuration(task: Task): number {
  const now = useNow(task.end_time === null);
  return Math.max(0, (task.end_time === null ? now : timeOf(task.end_time)) - timeOf(task.start_time));
}
