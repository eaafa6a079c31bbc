import { ApiError, ConnectionError, MediaService } from 'dataset-media-service-sdk';
import { QueryClient } from '@tanstack/react-query';
import { connection } from './connection-state';

/** The service that this page comes from. A failure to reach it is shown by the banner, which also waits for its return. */
export const service = new MediaService({
  url: window.location.origin,
  retries: 0,
  fetch: async (request) => {
    try {
      const response = await fetch(request);
      if (response.status === 401) connection.sessionEnded();
      else if (isFromGateway(response)) connection.lost();
      return response;
    } catch (error) {
      if (!request.signal.aborted) connection.lost();
      throw error;
    }
  },
});

/** A proxy whose service is away, or the service without its database. */
const isFromGateway = ({ status }: Response): boolean => status === 502 || status === 503 || status === 504;

export const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && [502, 503, 504].includes(error.status));

const MINUTE_MS = 60_000;

export const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', staleTime: MINUTE_MS / 2, gcTime: 5 * MINUTE_MS },
    mutations: { networkMode: 'always' },
  },
});

connection.onReturn(() => void queries.invalidateQueries());

/** The answer of a call of `service.api`; errors have been thrown before. */
export const answered = async <T>(call: Promise<{ readonly data?: T }>): Promise<T> => (await call).data as T;
