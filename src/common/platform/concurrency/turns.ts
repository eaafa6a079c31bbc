import { TooManyRequestsError } from '../errors/domain-error';

const RETRY_AFTER_SECONDS = 5;

interface UserTurnsLimits {
  /** The limit for all users together. */
  readonly atOnce: number;
  /** The limit for one user, including work that waits. */
  readonly mostOfUser: number;
  /** The name of the limited work, in the plural, for the error message. */
  readonly what: string;
}

interface User {
  asked: number;
  isRunning: boolean;
  /** The number of runs of all users that had begun when the last run of this user began. */
  lastBegun: number;
}

interface WaitingUser {
  readonly user: User;
  readonly begin: () => void;
}

/** A semaphore that users share fairly: each user has one turn at a time, and the user whose last turn began longest ago comes next. */
export class UserTurns {
  private readonly users = new Map<string, User>();
  private readonly waiting: WaitingUser[] = [];
  private running = 0;
  private begun = 0;

  constructor(private readonly limits: UserTurnsLimits) {}

  /** Throws TooManyRequestsError if the user is at the limit already. */
  async run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const { mostOfUser, what } = this.limits;
    const user = this.users.get(userId) ?? { asked: 0, isRunning: false, lastBegun: 0 };
    if (user.asked >= mostOfUser)
      throw new TooManyRequestsError(
        `Too many ${what}: ${mostOfUser} at a time are allowed; try again when one is done`,
        RETRY_AFTER_SECONDS,
      );
    user.asked += 1;
    this.users.set(userId, user);
    await new Promise<void>((begin) => {
      this.waiting.push({ user, begin });
      this.admit();
    });
    try {
      return await work();
    } finally {
      this.running -= 1;
      user.isRunning = false;
      user.asked -= 1;
      if (user.asked === 0) this.users.delete(userId);
      this.admit();
    }
  }

  private admit(): void {
    while (this.running < this.limits.atOnce) {
      const ready = this.waiting.filter(({ user }) => !user.isRunning);
      const next = ready.toSorted((a, b) => a.user.lastBegun - b.user.lastBegun)[0];
      if (next === undefined) return;
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.running += 1;
      next.user.isRunning = true;
      next.user.lastBegun = this.begun += 1;
      next.begin();
    }
  }
}

interface Waiting {
  readonly alone: boolean;
  readonly begin: () => void;
}

/** A semaphore in order of arrival. Exclusive work waits until nothing else runs and blocks all work that arrives after it. */
export class Turns {
  private readonly waiting: Waiting[] = [];
  private running = 0;
  private isAlone = false;

  constructor(private readonly atOnce: number) {}

  async run<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      this.waiting.push({ alone, begin });
      this.admit();
    });
    try {
      return await work();
    } finally {
      this.running -= 1;
      if (alone) this.isAlone = false;
      this.admit();
    }
  }

  private admit(): void {
    for (let next = this.waiting[0]; next && this.hasRoomFor(next); next = this.waiting[0]) {
      this.waiting.shift();
      this.running += 1;
      this.isAlone = next.alone;
      next.begin();
    }
  }

  private hasRoomFor({ alone }: Waiting): boolean {
    return !this.isAlone && this.running < (alone ? 1 : this.atOnce);
  }
}
