import type { ThrottlerStorage } from '@nestjs/throttler';

type Counted = Awaited<ReturnType<ThrottlerStorage['increment']>>;

const SECONDS = 60;

/** The accepted requests of a caller in each of the last 60 seconds. */
class Minute {
  private readonly counts = new Uint32Array(SECONDS);
  private total = 0;
  private latest: number;

  constructor(second: number) {
    this.latest = second;
  }

  /** Forgets what is a minute old. */
  advance(second: number): void {
    for (let at = Math.max(this.latest + 1, second - SECONDS + 1); at <= second; at += 1) {
      this.total -= this.counts[at % SECONDS]!;
      this.counts[at % SECONDS] = 0;
    }
    this.latest = Math.max(this.latest, second);
  }

  add(): void {
    this.counts[this.latest % SECONDS]! += 1;
    this.total += 1;
  }

  get requests(): number {
    return this.total;
  }

  /** Until the oldest is a minute old. */
  get secondsLeft(): number {
    for (let at = this.latest - SECONDS + 1; at <= this.latest; at += 1)
      if (at >= 0 && this.counts[at % SECONDS]! > 0) return at + SECONDS - this.latest;
    return 0;
  }
}

/** Counts by seconds, in constant time and memory for each caller, however high the limit is. */
export class CountedRequests implements ThrottlerStorage {
  private readonly minutes = new Map<string, Minute>();
  private swept = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get callers(): number {
    return this.minutes.size;
  }

  /** Refused requests do not count. */
  increment(key: string, _ttl: number, limit: number): Promise<Counted> {
    const second = Math.floor(this.now() / 1000);
    this.sweep(second);
    const minute = this.minutes.get(key) ?? new Minute(second);
    this.minutes.set(key, minute);
    minute.advance(second);
    const isBlocked = minute.requests >= limit;
    if (!isBlocked) minute.add();
    const { requests, secondsLeft } = minute;
    return Promise.resolve({
      totalHits: requests + (isBlocked ? 1 : 0),
      timeToExpire: secondsLeft,
      isBlocked,
      timeToBlockExpire: isBlocked ? secondsLeft : 0,
    });
  }

  private sweep(second: number): void {
    if (second - this.swept < SECONDS) return;
    this.swept = second;
    for (const [key, minute] of this.minutes) {
      minute.advance(second);
      if (minute.requests === 0) this.minutes.delete(key);
    }
  }
}
