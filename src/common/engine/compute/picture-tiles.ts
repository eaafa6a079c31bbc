import type { ComputeConfig } from './compute-pool';
import type { EncodeResult, TileRequest } from './media-analysis';
import { UserChildren } from './user-children';

const LIMITS = { imageTimeoutMs: 20_000, largeMemoryBytes: 2 * 1024 ** 3 };

/** Cuts tiles out of large pictures. */
export class PictureTiles extends UserChildren {
  constructor(config: ComputeConfig) {
    super(config, LIMITS, { mostOfUser: 32, what: 'tiles of pictures' });
  }

  /** Throws TooManyRequestsError, and otherwise the errors of `ComputePool.cutTile`; the reason of the signal once nobody waits any more. */
  cut(userId: string, request: TileRequest, signal: AbortSignal): Promise<EncodeResult> {
    return this.compute(userId, (pool) => pool.cutTile(request, { signal }));
  }
}
