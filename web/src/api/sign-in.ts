import { useQuery } from '@tanstack/react-query';

/** Whether people sign in to this service. Where nobody does, the route that starts it is not there. */
export const useSignsIn = (): boolean | undefined =>
  useQuery({
    queryKey: ['signs-in'],
    staleTime: Infinity,
    queryFn: async () => (await fetch('/api/v1/oidc/login', { method: 'HEAD', redirect: 'manual' })).status !== 404,
  }).data;
