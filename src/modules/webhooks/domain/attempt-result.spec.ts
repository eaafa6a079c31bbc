import { afterAttempt, GIVE_UP_AFTER_MS, withReachability } from './attempt-result';
import type { Delivery, Webhook } from './webhook';

const NOW = new Date('2026-03-31T16:00:00Z');
const delivery: Delivery = {
  id: 'delivery',
  webhookId: 'webhook',
  event: 'task.completed',
  payload: {},
  status: 'PENDING',
  attempts: 0,
  lastStatusCode: null,
  lastError: null,
  createdAt: NOW,
  nextAttemptAt: NOW,
  deliveredAt: null,
};
const answered = (statusCode: number) => ({ kind: 'answered', statusCode }) as const;
const unreached = { kind: 'unreached', reason: 'No answer within 10 seconds' } as const;
const secondsUntil = (time: Date | null): number => (time!.getTime() - NOW.getTime()) / 1_000;

describe('an attempt at a delivery', () => {
  it.each([200, 201, 204, 299])('succeeds with status %i', (statusCode) => {
    expect(afterAttempt({ ...delivery, attempts: 2, lastError: 'x' }, answered(statusCode), NOW)).toEqual({
      ...delivery,
      status: 'DELIVERED',
      attempts: 3,
      lastStatusCode: statusCode,
      nextAttemptAt: null,
      deliveredAt: NOW,
    });
  });

  it('is followed by another attempt, with exponential backoff and jitter', () => {
    const waits = [0, 1, 2, 5, 11, 12, 30].map((attempts) =>
      secondsUntil(afterAttempt({ ...delivery, attempts }, answered(500), NOW, 0.5).nextAttemptAt),
    );
    expect(waits).toEqual([1, 2, 4, 32, 2048, 3600, 3600]);
    expect(secondsUntil(afterAttempt(delivery, answered(500), NOW, 0).nextAttemptAt)).toBe(0.75);
    expect(secondsUntil(afterAttempt(delivery, answered(500), NOW, 1).nextAttemptAt)).toBe(1.25);
  });

  it('records the error', () => {
    expect(afterAttempt(delivery, answered(503), NOW)).toMatchObject({
      lastStatusCode: 503,
      lastError: 'Answered 503',
    });
    expect(afterAttempt(delivery, answered(302), NOW)).toMatchObject({
      status: 'PENDING',
      lastError: 'Answered 302: redirects are not followed',
    });
    expect(afterAttempt({ ...delivery, lastStatusCode: 500 }, unreached, NOW)).toMatchObject({
      lastStatusCode: null,
      lastError: 'No answer within 10 seconds',
    });
  });

  it('is the last one after a day', () => {
    const old = { ...delivery, attempts: 30, createdAt: new Date(NOW.getTime() - GIVE_UP_AFTER_MS + 1_000) };
    expect(afterAttempt(old, answered(500), NOW)).toMatchObject({
      status: 'GIVEN_UP',
      nextAttemptAt: null,
      deliveredAt: null,
      lastError: 'Answered 500',
    });
    expect(afterAttempt(old, answered(200), NOW)).toMatchObject({ status: 'DELIVERED' });
  });
});

describe('a webhook', () => {
  const webhook = { unreached: 0, pausedUntil: null } as Webhook;

  it('is paused while its receiver is unreachable, longer each time', () => {
    const waits = [0, 1, 8, 20].map((times) =>
      secondsUntil(withReachability({ ...webhook, unreached: times }, unreached, NOW, 0.5).pausedUntil),
    );
    expect(waits).toEqual([1, 2, 256, 600]);
    expect(withReachability({ ...webhook, unreached: 3 }, unreached, NOW).unreached).toBe(4);
  });

  it('is resumed by any response', () => {
    expect(withReachability({ ...webhook, unreached: 3, pausedUntil: NOW }, answered(500), NOW)).toEqual({
      unreached: 0,
      pausedUntil: null,
    });
  });
});
