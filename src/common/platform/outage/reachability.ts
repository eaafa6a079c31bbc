import { setTimeout as delay } from 'node:timers/promises';
import { channel } from 'node:diagnostics_channel';
import type { OutageError } from './outage';

export interface OutageChange {
  /** Completes the sentence "Waiting for …". */
  readonly awaited: string;
  readonly isOutage: boolean;
}

/** Publishes when an outage begins and when it ends; a channel, because the engine also runs in processes without metrics. */
export const OUTAGE_CHANGES = channel('dataset-media-service:outages');

const PROBE_LIMIT_MS = 3_000;
const PROBE_EVERY_MS = 1_000;

/** Receives the two log lines of an outage; a Nest logger in processes that have one. */
export interface OutageLog {
  warn(line: string): void;
  log(line: string): void;
}

/**
 * Tracks whether a dependency responds, based on the failures that callers report. An outage is logged when it begins and when it ends; during an
 * outage, calls fail fast.
 */
export class Reachability {
  private outage: OutageError | undefined;
  private isWatching = false;
  private isClosed = false;

  constructor(
    /** The beginning of the log line. */
    private readonly part: string,
    /** Checks the dependency itself, regardless of its known state. */
    private readonly probe: () => Promise<unknown>,
    private readonly log?: OutageLog,
    private readonly everyMs = PROBE_EVERY_MS,
  ) {}

  /** Throws at once during a known outage. */
  assertUp(): void {
    if (this.outage !== undefined) throw this.outage;
  }

  /** Reports a failed call that may be due to an outage. It is an outage if a probe fails too. */
  reportFailure(outage: OutageError): void {
    if (this.isWatching || this.isClosed) return;
    this.isWatching = true;
    void this.watch(outage).finally(() => (this.isWatching = false));
  }

  close(): void {
    this.isClosed = true;
  }

  private async watch(outage: OutageError): Promise<void> {
    if ((await this.answers()) || this.hasEnded()) return;
    const since = Date.now();
    this.outage = outage;
    this.publish(outage, true);
    this.log?.warn(`${this.part} is not reachable: ${outage.message}`);
    while (!this.hasEnded() && !(await this.answers())) await delay(this.everyMs, undefined, { ref: false });
    this.outage = undefined;
    this.publish(outage, false);
    if (!this.hasEnded())
      this.log?.log(`${this.part} is reachable again, after ${Math.round((Date.now() - since) / 1_000)} s`);
  }

  private publish({ awaited }: OutageError, isOutage: boolean): void {
    const change: OutageChange = { awaited, isOutage };
    OUTAGE_CHANGES.publish(change);
  }

  private hasEnded(): boolean {
    return this.isClosed;
  }

  private async answers(): Promise<boolean> {
    const late = new AbortController();
    try {
      const tooLate = delay(PROBE_LIMIT_MS, false, { ref: false, signal: late.signal }).catch(() => false);
      return await Promise.race([this.probe().then(() => true), tooLate]);
    } catch {
      return false;
    } finally {
      late.abort();
    }
  }
}
