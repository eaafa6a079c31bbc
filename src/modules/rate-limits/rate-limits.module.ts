import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { SettingsModule } from '../settings';
import { CountedRequests } from './counted-requests';
import { RateLimitGuard } from './rate-limit.guard';
import { SearchTurnsInterceptor } from './search-turns.interceptor';

const MINUTE_MS = 60_000;
/** A caller over the limit is accepted again as soon as the oldest request is a minute old. */
const NO_EXTRA_WAIT = 0;

/** Import it after the module that authenticates: guards run in the order of their modules. */
@Module({
  imports: [
    SettingsModule,
    // Replaced by the limit of the route in the guard.
    ThrottlerModule.forRoot({
      throttlers: [{ ttl: MINUTE_MS, limit: 0, blockDuration: NO_EXTRA_WAIT }],
      storage: new CountedRequests(),
    }),
  ],
  providers: [
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_INTERCEPTOR, useClass: SearchTurnsInterceptor },
  ],
})
export class RateLimitsModule {}
