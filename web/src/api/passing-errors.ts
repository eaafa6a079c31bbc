import { RateLimitedError } from 'dataset-media-service-sdk';

const MOST_RETRIES = 3;
const LONGEST_SECONDS = 60;

/** Too many requests for now. Outages are not among them: the connection watch waits for their end. */
export const isRetried = (failures: number, error: unknown): boolean =>
  failures < MOST_RETRIES && error instanceof RateLimitedError;

/** As long as the service asks for. */
export const retryDelayMs = (failures: number, error: unknown): number => {
  const asked = error instanceof RateLimitedError ? error.retryAfterSeconds : null;
  return 1_000 * Math.min(asked ?? 2 ** failures, LONGEST_SECONDS);
};
