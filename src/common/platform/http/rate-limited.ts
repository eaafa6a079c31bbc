import { SetMetadata } from '@nestjs/common';

export const RATE_LIMITED = 'rate-limited';

/** Groups of routes with a limit of requests per minute in the settings. */
export const RATE_LIMIT_NAMES = ['login', 'credentials', 'upload', 'search', 'export'] as const;
export type RateLimitName = (typeof RATE_LIMIT_NAMES)[number];

/** Counts requests of all routes with the same name together, per user, or per address where nobody signs in. */
export const RateLimited = (name: RateLimitName): MethodDecorator & ClassDecorator => SetMetadata(RATE_LIMITED, name);
