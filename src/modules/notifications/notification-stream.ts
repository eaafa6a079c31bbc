import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { StreamScope } from './domain/stream-scope';

/** A reader that lets more than this wait is not kept. */
const MOST_BYTES_WAITING = 2 ** 20;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/** One connection that events go out on. */
export class NotificationStream {
  /** All notifications up to this one were sent. */
  position = 0;
  /** False while it is sent what it missed. */
  isLive = false;

  constructor(
    readonly scope: StreamScope,
    private readonly response: ServerResponse,
    /** Whether what its reader showed at the beginning still counts. */
    readonly isStillGood: () => Promise<boolean> = () => Promise.resolve(true),
  ) {}

  begin(onClose: () => void): void {
    this.response.once('close', onClose);
    // Who reads on sees the end of the connection.
    this.response.shouldKeepAlive = false;
    this.response.writeHead(200, HEADERS);
    this.response.flushHeaders();
  }

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  write(events: Buffer): void {
    if (!this.isOpen) return;
    if (this.response.writableLength > MOST_BYTES_WAITING) this.response.destroy();
    else this.response.write(events);
  }

  /** Until the reader has taken most of what was written. */
  async taken(): Promise<void> {
    if (!this.isOpen || !this.response.writableNeedDrain) return;
    const gone = new AbortController();
    const { signal } = gone;
    await Promise.race([once(this.response, 'drain', { signal }), once(this.response, 'close', { signal })]);
    gone.abort();
  }

  end(): void {
    if (this.isOpen) this.response.end();
  }
}
