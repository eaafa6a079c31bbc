import { UserTurns } from '../../platform/concurrency/turns';
import { type ComputeConfig, ComputePool, type PoolLimits } from './compute-pool';
import type { EmbedRequest, EmbedResult } from './media-analysis';

const CHILDREN = 2;
/** Limited, because every reader of a dataset can send query pictures, and a client waits for each. */
const MAX_PIXELS = 50_000_000;
const LIMITS: Partial<PoolLimits> = {
  imageTimeoutMs: 10_000,
  largeMemoryBytes: 1.5 * 1024 ** 3,
  filesPerChild: 1,
  attempts: 1,
};

/** Embeds query pictures in separate children: a slow or crashing one delays neither indexing nor other users. */
export class SearchPictures {
  private readonly pool: ComputePool;
  private readonly turns = new UserTurns({ atOnce: CHILDREN, mostOfUser: 4, what: 'pictures to search with' });

  constructor(config: ComputeConfig) {
    this.pool = new ComputePool({ ...config, workerConcurrency: CHILDREN }, LIMITS);
  }

  get childPids(): readonly number[] {
    return this.pool.childPids;
  }

  /** Throws TooManyRequestsError if the user has too many requests in progress, and otherwise the errors of `ComputePool.embed`. */
  embed(userId: string, request: EmbedRequest): Promise<EmbedResult> {
    return this.turns.run(userId, () => this.pool.embed({ ...request, maxPixels: MAX_PIXELS }));
  }

  stop(): Promise<void> {
    return this.pool.stop();
  }
}
