import { SetMetadata } from '@nestjs/common';

export const RATE_LIMITED = 'rate-limited';

/** What is asked for so often a minute and no more: each has its limit in the settings. */
export const RATE_LIMIT_NAMES = ['login', 'credentials', 'upload', 'search', 'export'] as const;
export type RateLimitName = (typeof RATE_LIMIT_NAMES)[number];

/** Counts together with all routes of the same name, by user; by address where nobody signs in. */
export const RateLimited = (name: RateLimitName): MethodDecorator & ClassDecorator => SetMetadata(RATE_LIMITED, name);
