import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  getOptionsToken,
  getStorageToken,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import { ACCESS, type AccessRule } from '../../common/platform/http/access';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { TooManyRequestsError } from '../../common/platform/errors/domain-error';
import type { AuthenticatedRequest } from '../../common/platform/http/principal';
import { RATE_LIMITED, rateLimitOf, type RateLimitName } from '../../common/platform/http/rate-limited';
import { Settings, type NumberSetting } from '../settings';

interface RateLimit {
  readonly setting: NumberSetting;
  /** What is limited, in the plural, for the error message. */
  readonly what: string;
}

/** Requests a minute; the settings hold the number. */
const RATE_LIMITS: Readonly<Record<RateLimitName, RateLimit>> = {
  login: { setting: 'RATE_LIMIT_LOGIN', what: 'sign-ins' },
  credentials: { setting: 'RATE_LIMIT_CREDENTIALS', what: 'requests for API credentials' },
  upload: { setting: 'RATE_LIMIT_UPLOAD', what: 'uploads' },
  search: { setting: 'RATE_LIMIT_SEARCH', what: 'searches' },
  export: { setting: 'RATE_LIMIT_EXPORT', what: 'exports' },
  public: { setting: 'RATE_LIMIT_PUBLIC', what: 'requests without a sign-in' },
  media: { setting: 'RATE_LIMIT_MEDIA', what: 'requests for media' },
};

const declaredAt = (context: ExecutionContext) => [context.getHandler(), context.getClass()];

/**
 * Limits the requests of each user within a sliding minute. Each process counts its own requests in memory: behind
 * a load balancer the limit is multiplied by the number of processes.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  constructor(
    @Inject(getOptionsToken()) options: ThrottlerModuleOptions,
    @Inject(getStorageToken()) storage: ThrottlerStorage,
    reflector: Reflector,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly settings: Settings,
  ) {
    super(options, storage, reflector);
  }

  /** With AUTH_MODE=none there are no limits, for all callers are one user. */
  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    return Promise.resolve(
      this.configuration.oidc === null || this.nameOf(context) === undefined || this.limitOf(context) === 0,
    );
  }

  protected override handleRequest(request: ThrottlerRequest): Promise<boolean> {
    return super.handleRequest({ ...request, limit: this.limitOf(request.context) });
  }

  protected override async getTracker(request: AuthenticatedRequest): Promise<string> {
    return request.principal === undefined
      ? `address ${await super.getTracker(request)}`
      : `user ${request.principal.userId}`;
  }

  protected override generateKey(context: ExecutionContext, tracker: string): string {
    const rule = this.ruleOf(context);
    if (rule?.kind !== 'public' && !tracker.startsWith('user '))
      throw new Error('RateLimitGuard ran before the caller was authenticated');
    return `${this.nameOf(context)!} ${tracker}`;
  }

  protected override throwThrottlingException(
    context: ExecutionContext,
    { limit, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    const { what } = RATE_LIMITS[this.nameOf(context)!];
    return Promise.reject(
      new TooManyRequestsError(
        `Too many ${what}: ${limit} a minute are allowed; try again in ${timeToBlockExpire} seconds`,
        timeToBlockExpire,
      ),
    );
  }

  private limitOf(context: ExecutionContext): number {
    return this.settings.number(RATE_LIMITS[this.nameOf(context)!].setting);
  }

  private nameOf(context: ExecutionContext): RateLimitName | undefined {
    const declared = this.reflector.getAllAndOverride<RateLimitName | null | undefined>(
      RATE_LIMITED,
      declaredAt(context),
    );
    return rateLimitOf(this.ruleOf(context), declared);
  }

  private ruleOf(context: ExecutionContext): AccessRule | undefined {
    return this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS, declaredAt(context));
  }
}
