import { setTimeout as delay } from 'node:timers/promises';
import type { OutageError } from './outage';

const PROBE_LIMIT_MS = 3_000;
const PROBE_EVERY_MS = 1_000;

/** Where the two lines go; as a logger of Nest, which the processes that read files do without. */
export interface OutageLog {
  warn(line: string): void;
  log(line: string): void;
}

/**
 * Whether a part answers, as those who use it find out. An outage is told in two lines, one when it begins and one when it ends, and
 * while it lasts nobody has to find out for himself.
 */
export class Reachability {
  private outage: OutageError | undefined;
  private isWatching = false;
  private isClosed = false;

  constructor(
    /** As a line begins with it. */
    private readonly part: string,
    /** Asks the part itself, whatever is known of it. */
    private readonly probe: () => Promise<unknown>,
    private readonly log?: OutageLog,
    private readonly everyMs = PROBE_EVERY_MS,
  ) {}

  /** Throws at once while the part is known to be away. */
  assertUp(): void {
    if (this.outage !== undefined) throw this.outage;
  }

  /** Somebody's call failed as if the part were away. It is when it does not answer a probe either. */
  suspect(outage: OutageError): void {
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
    this.log?.warn(`${this.part} is not reachable: ${outage.message}`);
    while (!this.hasEnded() && !(await this.answers())) await delay(this.everyMs, undefined, { ref: false });
    this.outage = undefined;
    if (!this.hasEnded())
      this.log?.log(`${this.part} is reachable again, after ${Math.round((Date.now() - since) / 1_000)} s`);
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
