import { UserTurns } from '../../platform/concurrency/turns';
import { type ComputeConfig, ComputePool, type PoolLimits } from './compute-pool';
import type { EncodeResult, TileRequest } from './media-analysis';

const CHILDREN = 2;
const LIMITS: Partial<PoolLimits> = {
  imageTimeoutMs: 20_000,
  largeMemoryBytes: 2 * 1024 ** 3,
  filesPerChild: 1,
  attempts: 1,
};

/** Cuts tiles out of large pictures in separate children, because people wait for them. */
export class PictureTiles {
  private readonly pool: ComputePool;
  private readonly turns = new UserTurns({ atOnce: CHILDREN, mostOfUser: 32, what: 'tiles of pictures' });

  constructor(config: ComputeConfig) {
    this.pool = new ComputePool({ ...config, workerConcurrency: CHILDREN }, LIMITS);
  }

  get childPids(): readonly number[] {
    return this.pool.childPids;
  }

  /** Throws TooManyRequestsError if the user has too many requests in progress, and otherwise the errors of `ComputePool.cutTile`; the reason of the signal once nobody waits any more. */
  cut(userId: string, request: TileRequest, signal: AbortSignal): Promise<EncodeResult> {
    return this.turns.run(userId, () => this.pool.cutTile(request, { signal }));
  }

  stop(): Promise<void> {
    return this.pool.stop();
  }
}
