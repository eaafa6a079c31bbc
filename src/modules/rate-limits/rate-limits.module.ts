import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { SettingsModule } from '../settings';
import { RateLimitGuard } from './rate-limit.guard';

const MINUTE_MS = 60_000;
/** Whoever asks too much is let in again as soon as the oldest request is a minute ago. */
const NO_EXTRA_WAIT = 0;

/** To be imported after the module that tells who asks: guards run in the order of their modules. */
@Module({
  imports: [
    SettingsModule,
    // The guard puts the limit of the route in the place of this one.
    ThrottlerModule.forRoot([{ ttl: MINUTE_MS, limit: 0, blockDuration: NO_EXTRA_WAIT }]),
  ],
  providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }],
})
export class RateLimitsModule {}
