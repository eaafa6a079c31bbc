import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { ProviderWorkRunner } from './provider-work.runner';

const HALF_MINUTE_MS = 30 * 1000;

/** Retries work that failed while the provider was down, or that a crashed process left. */
@Injectable()
export class ProviderWorkSweep {
  constructor(private readonly runner: ProviderWorkRunner) {}

  @Interval(HALF_MINUTE_MS)
  frequent(): Promise<void> {
    return this.runner.runDue();
  }
}
