import { connect, type Socket } from 'node:net';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { STREAM_POLL_MS } from '../../src/modules/notifications/notification-hub';
import { waitUntil } from './wait-until';

/** For programs whose streams must end soon after their reader loses access. */
export const withFrequentChecks = (builder: TestingModuleBuilder): TestingModuleBuilder =>
  builder.overrideProvider(STREAM_POLL_MS).useValue(300);

export interface StreamedEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

export interface StreamedNotification {
  readonly id: string;
  readonly message: string | null;
  readonly metadata: Record<string, unknown>;
}

/** Reads server-sent events from a socket, chunk by chunk as the bytes arrive. */
export class EventStream {
  private text = '';
  private ended = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    socket.on('close', () => (this.ended = true));
    socket.on('error', () => undefined);
  }

  static async open(url: string, query = '', headers: Readonly<Record<string, string>> = {}): Promise<EventStream> {
    const { hostname, port, host } = new URL(url);
    const stream = new EventStream(connect(Number(port), hostname));
    const lines = Object.entries({ host, accept: 'text/event-stream', ...headers }).map(([k, v]) => `${k}: ${v}\r\n`);
    stream.socket.write(`GET /api/v1/notifications/stream${query} HTTP/1.1\r\n${lines.join('')}\r\n`);
    await waitUntil(() => stream.text.includes('\r\n\r\n') || stream.ended);
    return stream;
  }

  get head(): string {
    return this.text.slice(0, this.text.indexOf('\r\n\r\n'));
  }

  get isOver(): boolean {
    return this.ended;
  }

  /** The events received so far, without the framing of chunks. */
  get events(): StreamedEvent[] {
    const body = this.text.slice(this.head.length + 4).replace(/(^|\r\n)[0-9a-f]+\r\n/gi, '');
    return body
      .split('\n\n')
      .slice(0, -1)
      .map((block) => {
        const lines = block.split('\n').map((line) => line.trimStart());
        const valueOf = (name: string): string | undefined =>
          lines
            .find((line) => line.startsWith(`${name}:`))
            ?.slice(name.length + 1)
            .trimStart();
        return { event: valueOf('event') ?? 'message', id: valueOf('id'), data: valueOf('data') ?? 'no data line' };
      });
  }

  get notifications(): StreamedNotification[] {
    return this.events
      .filter(({ event }) => event === 'notification')
      .map(({ data }) => JSON.parse(data) as StreamedNotification);
  }

  async until(condition: (stream: EventStream) => boolean): Promise<void> {
    await waitUntil(() => condition(this));
  }

  /** Cheaper than parsing events in large streams. */
  holds(text: string): boolean {
    return this.text.includes(text);
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  close(): void {
    this.socket.destroy();
  }
}
