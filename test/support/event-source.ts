import { setTimeout as delay } from 'node:timers/promises';

export interface SourceEvent {
  readonly type: string;
  readonly data: string;
  readonly lastEventId: string;
}

const RETRY_MS = 50;

/** Reads server-sent events as browsers do (the standard's EventSource), and resumes after the last event when disconnected. */
export class EventSourceClient {
  readonly events: SourceEvent[] = [];
  connections = 0;
  private lastEventId = '';
  private readonly closing = new AbortController();
  private readonly over: Promise<void>;

  constructor(private readonly url: string) {
    this.over = this.readOn();
  }

  ofType(type: string): SourceEvent[] {
    return this.events.filter((event) => event.type === type);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.over;
  }

  private async readOn(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await this.readOnce(signal).catch(() => undefined);
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async readOnce(signal: AbortSignal): Promise<void> {
    const headers = { accept: 'text/event-stream', ...(this.lastEventId && { 'last-event-id': this.lastEventId }) };
    const response = await fetch(this.url, { headers, cache: 'no-store', signal });
    if (response.status !== 200 || response.headers.get('content-type') !== 'text/event-stream') return;
    this.connections += 1;
    const decoder = new TextDecoder();
    let text = '';
    let fields: [name: string, value: string][] = [];
    for await (const chunk of response.body! as AsyncIterable<Uint8Array>) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r/);
      text = lines.pop()!;
      for (const line of lines) {
        if (line !== '') fields.push(fieldOf(line));
        else {
          this.dispatch(fields);
          fields = [];
        }
      }
    }
  }

  private dispatch(fields: readonly [name: string, value: string][]): void {
    const valuesOf = (wanted: string): string[] => fields.flatMap(([name, value]) => (name === wanted ? [value] : []));
    this.lastEventId = valuesOf('id').at(-1) ?? this.lastEventId;
    const data = valuesOf('data');
    // An event without a data line is ignored.
    if (data.length === 0) return;
    const type = valuesOf('event').at(-1) ?? 'message';
    this.events.push({ type, data: data.join('\n'), lastEventId: this.lastEventId });
  }
}

function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}
