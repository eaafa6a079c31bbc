import type { ComputeConfig } from './compute-pool';
import type { EmbedRequest, EmbedResult } from './media-analysis';
import { UserChildren } from './user-children';

/** Limited, because every reader of a dataset can send query pictures, and a client waits for each. */
const MAX_PIXELS = 50_000_000;
const LIMITS = { imageTimeoutMs: 10_000, largeMemoryBytes: 1.5 * 1024 ** 3 };

/** Embeds query pictures. */
export class SearchPictures extends UserChildren {
  constructor(config: ComputeConfig) {
    super(config, LIMITS, { mostOfUser: 4, what: 'pictures to search with' });
  }

  /** Throws TooManyRequestsError, and otherwise the errors of `ComputePool.embed`. */
  embed(userId: string, request: EmbedRequest): Promise<EmbedResult> {
    return this.compute(userId, (pool) => pool.embed({ ...request, maxPixels: MAX_PIXELS }));
  }
}
