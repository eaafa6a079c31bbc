import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { ProviderWorkRunner } from './provider-work.runner';

const HALF_MINUTE_MS = 30 * 1000;

/** What a provider that was down, or a process that died, has left. */
@Injectable()
export class ProviderWorkSweep {
  constructor(private readonly runner: ProviderWorkRunner) {}

  @Interval(HALF_MINUTE_MS)
  frequent(): Promise<void> {
    return this.runner.carryOut();
  }
}
