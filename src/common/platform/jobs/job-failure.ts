import { UnrecoverableError, type OutageError } from '../outage/outage';
import { PermanentJobError } from './job-errors';
import { formatTimestamp } from '../http/query-values';

/** A source location in the files of a library. */
const RUST_PLACE = /,? ?\(?[^\s,()'"]{1,300}\.rs:\d{1,6}(?::\d{1,6})?\)?/g;
const LIBRARY_PLACE = / ?[^\s,()'"]{0,300}\/(?:node_modules|rustc|\.cargo)\/[^\s,()'"]{0,300}/g;
const LANCE_NAME = /\blance error: |\bLanceError\(\w{1,40}\): /g;
const MAX_CHARACTERS = 2_000;

/** The reason of a failure as shown to users, without internals of libraries. */
export function plainReason(message: string): string {
  const [first = ''] = message.slice(0, MAX_CHARACTERS).split(/\n\s{0,20}at /, 1);
  const plain = first.replace(LANCE_NAME, '').replace(RUST_PLACE, '').replace(LIBRARY_PLACE, '').trim();
  return plain === '' ? 'The job failed. See the log of the service for the reason.' : plain;
}

/** The error that is passed to handlers. */
export function userFacingError(error: Error): Error {
  const message = plainReason(error.message);
  if (message === error.message) return error;
  const isFinal = error instanceof PermanentJobError || error instanceof UnrecoverableError;
  return isFinal ? new PermanentJobError(message, { cause: error }) : new Error(message, { cause: error });
}

const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;
/** If an attempt ran longer than this, its outage is not the one for which the previous attempt waited. */
const SAME_OUTAGE_MS = 120_000;

interface Waiting {
  readonly since: Date;
  readonly delayMs: number;
  readonly sentence: string;
}

export class OutageTooLongError extends PermanentJobError {
  constructor(outage: OutageError, { since }: Waiting) {
    super(
      `Waited for ${outage.awaited} since ${formatTimestamp(since)}, which is longer than OUTAGE_WAIT_SECONDS allows. Try again when it is back.`,
      { cause: outage },
    );
  }
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
