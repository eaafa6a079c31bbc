import type { Connection } from './connection.js';
import { delay } from './delay.js';
import { ApiError, ConnectionError, MediaServiceError, RateLimitedError, ServiceError } from './errors.js';
import type { components } from './generated/api.js';

export type Notification = components['schemas']['Notification'];

export interface StreamOptions {
  /** Only notifications of this dataset. */
  readonly datasetId?: string;
  /** The id of the last notification received. The stream starts with those after it. */
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
  /** Called whenever the stream is opened, also after reconnecting. */
  readonly onOpen?: () => void;
}

/** The service sends a ping every 3 seconds. */
const SILENCE_SECONDS = 20;
const LONGEST_WAIT_SECONDS = 15;

/** Yields notifications as they arrive. After a lost connection, reconnects from the last notification, until the signal is aborted. */
export async function* notifications(
  connection: Connection,
  { datasetId, lastEventId, signal, onOpen }: StreamOptions = {},
): AsyncGenerator<Notification, void, undefined> {
  let last = lastEventId;
  let failures = 0;
  while (!isAborted(signal)) {
    const watch = new SilenceWatch(signal);
    try {
      const response = await connection.request(
        `/api/v1/notifications/stream${datasetId === undefined ? '' : `?dataset_id=${encodeURIComponent(datasetId)}`}`,
        {
          headers: { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) },
          signal: watch.signal,
        },
      );
      onOpen?.();
      for await (const event of eventsOf(response, () => watch.heard())) {
        failures = 0;
        if (event.type !== 'notification') continue;
        const notification = JSON.parse(event.data) as Notification;
        last = notification.id;
        yield notification;
      }
    } catch (error) {
      if (isAborted(signal)) return;
      if (!isPassing(error)) throw error;
    } finally {
      watch.end();
    }
    failures += 1;
    await delay(Math.min(2 ** failures * 0.25, LONGEST_WAIT_SECONDS), signal).catch(() => undefined);
  }
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

/** Errors of the connection are retried; errors of the service only if they are temporary. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error instanceof ServiceError || error instanceof RateLimitedError;
  return error instanceof ConnectionError || !(error instanceof MediaServiceError);
}

/** Closes a connection without data. */
class SilenceWatch {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stop = (): void => this.controller.abort();

  constructor(private readonly outer: AbortSignal | undefined) {
    outer?.addEventListener('abort', this.stop, { once: true });
    this.heard();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  heard(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.stop, SILENCE_SECONDS * 1000);
  }

  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.stop);
    this.controller.abort();
  }
}

interface ServerEvent {
  readonly type: string;
  readonly data: string;
}

async function* eventsOf(response: Response, onBytes: () => void): AsyncGenerator<ServerEvent, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    text += decoder.decode(value, { stream: true }).replaceAll('\r\n', '\n');
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield eventOf(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

function eventOf(block: string): ServerEvent {
  let type = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') type = value;
    else if (name === 'data') data.push(value);
  }
  return { type, data: data.join('\n') };
}
