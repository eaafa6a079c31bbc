import { Injectable, Logger } from '@nestjs/common';
import { AdvisoryLock } from './advisory-lock';

/** After the start, for sweeps that have their turn by the hour: a process may not live that long. */
export const FIRST_SWEEP_MS = 3 * 60 * 1000;

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
        const removed = await target.sweep(new Date());
        if (removed > 0) this.logger.log(`Swept ${removed} of ${name}`);
      });
    } catch (error) {
      this.logger.error(`The sweep of ${name} failed`, error instanceof Error ? error.stack : String(error));
    }
  }
}
