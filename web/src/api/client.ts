import { ApiError, ConnectionError, MediaService } from 'dataset-media-service-sdk';
import { QueryClient } from '@tanstack/react-query';
import { connection } from './connection-state';
import { isRetried, retryDelayMs } from './passing-errors';
import { sendForm } from './send-form';

/** The service that this page comes from. A failure to reach it is shown by the banner, which also waits for its return. */
export const service = new MediaService({
  url: window.location.origin,
  retries: 0,
  fetch: (request) => watched(() => fetch(request), request.signal),
});

/** What an answer, or its absence, says about the connection. */
async function watched(send: () => Promise<Response>, signal?: AbortSignal): Promise<Response> {
  try {
    const response = await send();
    if (response.status === 401) connection.sessionEnded();
    else if (response.status === 503) connection.lostPart();
    else if (response.status === 502 || response.status === 504) connection.lost();
    return response;
  } catch (error) {
    if (signal?.aborted !== true) connection.lost();
    throw error;
  }
}

/** Sends a form by XMLHttpRequest, which reports progress from 0 to 1; fetch does not. */
export const postForm = (path: string, form: FormData, onSent: (part: number) => void): Promise<Response> =>
  service.connection.exchange('POST', path, (url, headers) => watched(() => sendForm(url, headers, form, onSent)));

/** A proxy whose service is away, or the service without something that the answer needs. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && [502, 503, 504].includes(error.status));

const MINUTE_MS = 60_000;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isRetried,
      retryDelay: retryDelayMs,
      networkMode: 'always',
      staleTime: MINUTE_MS / 2,
      gcTime: 5 * MINUTE_MS,
    },
    mutations: { networkMode: 'always' },
  },
});

// Requests in progress may finish.
connection.onReturn(() => void queries.invalidateQueries({}, { cancelRefetch: false }));

/** The answer of a call of `service.api`; errors have been thrown before. */
export const answered = async <T>(call: Promise<{ readonly data?: T }>): Promise<T> => (await call).data as T;
