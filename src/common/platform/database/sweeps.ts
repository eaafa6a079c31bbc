import { Injectable, Logger } from '@nestjs/common';
import { withCallLimit } from '../outage/call-limit';
import { outageOf } from '../outage/outage';
import { AdvisoryLock } from './advisory-lock';
import { DatabaseClock } from './database-clock';
import { STORE_HOLD } from './store-hold';

/** The delay of the first run of hourly sweeps, since the process may not run for an hour. */
export const FIRST_SWEEP_MS = 3 * 60 * 1000;
const CALL_LIMIT_MS = 60_000;

export interface Sweep {
  /** `now` is the time of the database clock. Returns the number of items removed. */
  sweep(now: Date): Promise<number>;
}

/** Runs a sweep in one process of the installation at a time, and not while a backup copies the store. Failures are logged; the next run tries again. */
@Injectable()
export class Sweeps {
  private readonly logger = new Logger(Sweeps.name);

  constructor(
    private readonly lock: AdvisoryLock,
    private readonly clock: DatabaseClock,
  ) {}

  async run(name: string, target: Sweep): Promise<void> {
    try {
      const work = async (): Promise<void> => {
        const removed = await withCallLimit(CALL_LIMIT_MS, async () => target.sweep(await this.clock.now()));
        if (removed > 0) this.logger.log(`Swept ${removed} of ${name}`);
      };
      await this.lock.withAdvisoryLock(`sweep-${name}`, work, STORE_HOLD);
    } catch (error) {
      // Outages are logged separately.
      if (outageOf(error) !== undefined) return;
      this.logger.error(`The sweep of ${name} failed`, error instanceof Error ? error.stack : String(error));
    }
  }
}
