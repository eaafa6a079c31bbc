import { useQuery } from '@tanstack/react-query';
import { answered, service } from '../../api/client';

const OFTEN_MS = 5 * 60_000;

export const useAccess = () =>
  useQuery({
    queryKey: ['settings-access'],
    staleTime: OFTEN_MS,
    queryFn: () => answered(service.api.GET('/api/v1/workspace/settings/access')),
  });

export const useMayAdminister = (): boolean => useAccess().data?.can_manage === true;
