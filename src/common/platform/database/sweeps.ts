import { Injectable, Logger } from '@nestjs/common';
import { withCallLimit } from '../outage/call-limit';
import { outageOf } from '../outage/outage';
import { AdvisoryLock } from './advisory-lock';

/** After the start, for sweeps that have their turn by the hour: a process may not live that long. */
export const FIRST_SWEEP_MS = 3 * 60 * 1000;
const CALL_LIMIT_MS = 60_000;

export interface Sweep {
  /** Says how much it removed. */
  sweep(now: Date): Promise<number>;
}

/** Runs a sweep in one process of the installation at a time; a failure is logged, and the next turn tries again. */
@Injectable()
export class Sweeps {
  private readonly logger = new Logger(Sweeps.name);

  constructor(private readonly lock: AdvisoryLock) {}

  async run(name: string, target: Sweep): Promise<void> {
    try {
      await this.lock.withAdvisoryLock(`sweep-${name}`, async () => {
        const removed = await withCallLimit(CALL_LIMIT_MS, () => target.sweep(new Date()));
        if (removed > 0) this.logger.log(`Swept ${removed} of ${name}`);
      });
    } catch (error) {
      // An outage has its own lines.
      if (outageOf(error) !== undefined) return;
      this.logger.error(`The sweep of ${name} failed`, error instanceof Error ? error.stack : String(error));
    }
  }
}
