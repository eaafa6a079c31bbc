import { SetMetadata } from '@nestjs/common';
import type { AccessRule } from './access';

export const RATE_LIMITED = 'rate-limited';

/** The groups of routes that have a limit of requests per minute in the settings. */
export const RATE_LIMIT_NAMES = ['login', 'credentials', 'upload', 'search', 'export', 'public', 'media'] as const;
export type RateLimitName = (typeof RATE_LIMIT_NAMES)[number];

/** Counts requests of all routes with the same name together, per user, or per address on routes without a sign-in. */
export const RateLimited = (name: RateLimitName): MethodDecorator & ClassDecorator => SetMetadata(RATE_LIMITED, name);

/** For a public route that is as cheap to serve as to refuse. */
export const Unlimited = (): MethodDecorator & ClassDecorator => SetMetadata(RATE_LIMITED, null);

/** The group of a route. Public routes without a declared group are in the group `public`. */
export function rateLimitOf(
  rule: AccessRule | undefined,
  declared: RateLimitName | null | undefined,
): RateLimitName | undefined {
  if (declared === undefined && rule?.kind === 'public') return 'public';
  return declared ?? undefined;
}
