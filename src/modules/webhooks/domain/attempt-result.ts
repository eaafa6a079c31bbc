import type { Delivery, Webhook } from './webhook';

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60 * 60 * 1_000;
const LONGEST_PAUSE_MS = 10 * 60 * 1_000;

/** How long a delivery is retried. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60 * 1_000;

/** The result of one attempt. */
export type AttemptResult =
  | { readonly kind: 'answered'; readonly statusCode: number }
  /** The receiver could not be reached; other deliveries would fail too. */
  | { readonly kind: 'unreached'; readonly reason: string };

/** Exponential backoff with a jitter of 25%. */
function delayAfter(failures: number, longest: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 30), longest);
  return delay * (0.75 + random / 2);
}

const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;

export function afterAttempt(delivery: Delivery, result: AttemptResult, now: Date, random = Math.random()): Delivery {
  const attempts = delivery.attempts + 1;
  const lastStatusCode = result.kind === 'answered' ? result.statusCode : null;
  if (result.kind === 'answered' && isSuccess(result.statusCode)) {
    const delivered = { status: 'DELIVERED', deliveredAt: now, nextAttemptAt: null, lastError: null } as const;
    return { ...delivery, ...delivered, attempts, lastStatusCode };
  }
  const next = new Date(now.getTime() + delayAfter(attempts, LONGEST_DELAY_MS, random));
  const isOver = next.getTime() > delivery.createdAt.getTime() + GIVE_UP_AFTER_MS;
  return {
    ...delivery,
    status: isOver ? 'GIVEN_UP' : 'PENDING',
    attempts,
    lastStatusCode,
    lastError: errorOf(result),
    nextAttemptAt: isOver ? null : next,
  };
}

/** Counts failures to reach the receiver and pauses the webhook after each. Any response, even an error, resets both. */
export function withReachability(
  { unreached }: Webhook,
  result: AttemptResult,
  now: Date,
  random = Math.random(),
): Pick<Webhook, 'unreached' | 'pausedUntil'> {
  if (result.kind === 'answered') return { unreached: 0, pausedUntil: null };
  const delay = delayAfter(unreached + 1, LONGEST_PAUSE_MS, random);
  return { unreached: unreached + 1, pausedUntil: new Date(now.getTime() + delay) };
}

function errorOf(result: AttemptResult): string {
  if (result.kind === 'unreached') return result.reason;
  const answered = `Answered ${result.statusCode}`;
  return isRedirect(result.statusCode) ? `${answered}: redirects are not followed` : answered;
}
