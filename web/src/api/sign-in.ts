import { useQuery } from '@tanstack/react-query';

/** Whether the service has a sign-in. Without one, the route that starts it does not exist. */
export const useSignsIn = (): boolean | undefined =>
  useQuery({
    queryKey: ['signs-in'],
    staleTime: Infinity,
    queryFn: async () => (await fetch('/api/v1/oidc/login', { method: 'HEAD', redirect: 'manual' })).status !== 404,
  }).data;
