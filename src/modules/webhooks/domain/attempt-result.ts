import type { Delivery, Webhook } from './webhook';

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 60 * 60 * 1_000;
const LONGEST_PAUSE_MS = 10 * 60 * 1_000;

/** How long a delivery is tried. */
export const PATIENCE_MS = 24 * 60 * 60 * 1_000;

/** What came of one attempt. */
export type AttemptResult =
  | { readonly kind: 'answered'; readonly statusCode: number }
  /** Nobody could be asked; the next delivery would fare no better. */
  | { readonly kind: 'unreached'; readonly reason: string };

/** Twice as long after each failure, and a quarter more or less: those that failed together don't come back together. */
function delayAfter(failures: number, longest: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 30), longest);
  return delay * (0.75 + random / 2);
}

const isSuccess = (statusCode: number): boolean => statusCode >= 200 && statusCode < 300;
const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;

export function attempted(delivery: Delivery, result: AttemptResult, now: Date, random = Math.random()): Delivery {
  const attempts = delivery.attempts + 1;
  const lastStatusCode = result.kind === 'answered' ? result.statusCode : null;
  if (result.kind === 'answered' && isSuccess(result.statusCode)) {
    const delivered = { status: 'DELIVERED', deliveredAt: now, nextAttemptAt: null, lastError: null } as const;
    return { ...delivery, ...delivered, attempts, lastStatusCode };
  }
  const next = new Date(now.getTime() + delayAfter(attempts, LONGEST_DELAY_MS, random));
  const isOver = next.getTime() > delivery.createdAt.getTime() + PATIENCE_MS;
  return {
    ...delivery,
    status: isOver ? 'GIVEN_UP' : 'PENDING',
    attempts,
    lastStatusCode,
    lastError: errorOf(result),
    nextAttemptAt: isOver ? null : next,
  };
}

/** The webhook, and until when it is left alone; whoever answers, be it with an error, is there. */
export function reached(
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
