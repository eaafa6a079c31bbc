import { formatTimestamp } from '../http/timestamp';
import type { OutageError } from '../outage/outage';
import { PermanentJobError } from './job-errors';

const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;
/** An attempt that ran longer than this met a new outage, not the one that the previous attempt waited for. */
const SAME_OUTAGE_MS = 120_000;

export interface Waiting {
  readonly since: Date;
  readonly delayMs: number;
  readonly sentence: string;
}

/** The first waits are short, because most outages are. */
export function waitingFor(outage: OutageError, earlier: Date | null, attemptBegan: number, now: number): Waiting {
  const isSame = earlier !== null && now - attemptBegan < SAME_OUTAGE_MS;
  const since = isSame ? earlier : new Date(now);
  const wait = Math.min(MAX_WAIT_MS, Math.max(MIN_WAIT_MS, (now - since.getTime()) / 4));
  return {
    since,
    delayMs: wait * (0.75 + Math.random() / 2),
    sentence: `Waiting for ${outage.awaited} since ${formatTimestamp(since)}.`,
  };
}

export class OutageTooLongError extends PermanentJobError {
  constructor(outage: OutageError, { since }: Waiting) {
    super(
      `Waited for ${outage.awaited} since ${formatTimestamp(since)}, which is longer than OUTAGE_WAIT_SECONDS allows. Try again when it is back.`,
      { cause: outage },
    );
  }
}
