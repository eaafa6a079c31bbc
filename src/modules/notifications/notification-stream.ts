import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { StreamScope } from './domain/stream-scope';

/** A client with more unsent data than this is disconnected. */
const MOST_BYTES_WAITING = 2 ** 20;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/** One open connection of server-sent events. */
export class NotificationStream {
  /** Position of the last notification sent. */
  position = 0;
  /** False while missed notifications are being sent. */
  isLive = false;

  constructor(
    readonly scope: StreamScope,
    private readonly response: ServerResponse,
    /** Whether the credentials that opened the stream are still valid. */
    readonly isStillValid: () => Promise<boolean> = () => Promise.resolve(true),
  ) {}

  begin(onClose: () => void): void {
    this.response.once('close', onClose);
    // The client must see the end of the stream as the end of the connection.
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

  /** Waits until the client has read most of what was written, or has left. */
  async drained(): Promise<void> {
    if (!this.isOpen || !this.response.writableNeedDrain) return;
    const disconnected = new AbortController();
    const { signal } = disconnected;
    await Promise.race([once(this.response, 'drain', { signal }), once(this.response, 'close', { signal })]);
    disconnected.abort();
  }

  end(): void {
    if (this.isOpen) this.response.end();
  }
}
