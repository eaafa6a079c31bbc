import { useQuery } from '@tanstack/react-query';
import { answered, service } from './client';

const OFTEN_MS = 5 * 60_000;

/** The caller's role in the workspace. */
export const useAccess = () =>
  useQuery({
    queryKey: ['settings-access'],
    staleTime: OFTEN_MS,
    queryFn: () => answered(service.api.GET('/api/v1/workspace/settings/access')),
  });

export const useMayAdminister = (): boolean => useAccess().data?.can_manage === true;

/** Whether the caller may create datasets and export from them: viewers of the workspace may not, whatever they are to a dataset. */
export const useMayCreate = (): boolean => useAccess().data?.role !== 'viewer';
