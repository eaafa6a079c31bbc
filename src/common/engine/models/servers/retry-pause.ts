const MAX_BACKOFF_MS = 30_000;
export const MAX_RETRY_AFTER_MS = 60_000;

/** The header's seconds or date as milliseconds from now; 0 if it has neither. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1_000;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS);
}

/** Exponential, with jitter so that requests that failed together do not return together. */
export function retryPauseMs(failures: number, firstMs: number, askedMs: number): number {
  const longest = Math.min(firstMs * 2 ** (failures - 1), MAX_BACKOFF_MS);
  const jitter = longest * (0.5 + Math.random() / 2);
  return askedMs + jitter;
}
