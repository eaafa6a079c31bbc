import { UserTurns } from '../../platform/concurrency/turns';
import { type ComputeConfig, ComputePool, type PoolLimits } from './compute-pool';

const CHILDREN = 2;
/** A request is of one file, and the user sees that it failed. */
const OF_REQUESTS: Partial<PoolLimits> = { filesPerChild: 1, attempts: 1 };

export interface UserLimits {
  /** Of requests in progress. */
  readonly mostOfUser: number;
  /** What they are, for the error. */
  readonly what: string;
}

/** Compute children for requests that users wait for: a slow or crashing one delays neither indexing nor other users. */
export class UserChildren {
  private readonly pool: ComputePool;
  private readonly turns: UserTurns;

  constructor(config: ComputeConfig, limits: Partial<PoolLimits>, user: UserLimits) {
    this.pool = new ComputePool({ ...config, workerConcurrency: CHILDREN }, { ...OF_REQUESTS, ...limits });
    this.turns = new UserTurns({ atOnce: CHILDREN, ...user });
  }

  get childPids(): readonly number[] {
    return this.pool.childPids;
  }

  stop(): Promise<void> {
    return this.pool.stop();
  }

  /** Throws TooManyRequestsError if the user has too many requests in progress. */
  protected compute<Result>(userId: string, work: (pool: ComputePool) => Promise<Result>): Promise<Result> {
    return this.turns.run(userId, () => work(this.pool));
  }
}
