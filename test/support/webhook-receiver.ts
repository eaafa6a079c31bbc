import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: {
    readonly id: string;
    readonly event: string;
    readonly created_at: string;
    readonly dataset_id: string;
    readonly data: Record<string, unknown>;
  };
}

type Answering = (received: Received, response: ServerResponse, times: number) => void;

/** An HTTP server on loopback that records what it receives. */
export class WebhookReceiver {
  readonly received: Received[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** Responds with 200 or as specified; `times` counts requests with the same id. */
  static async start(answering: Answering = (_received, response) => response.end()): Promise<WebhookReceiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new WebhookReceiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const body = JSON.parse(text) as Received['body'];
        const received = { path: request.url!, headers: request.headers, text, body };
        receiver.received.push(received);
        answering(received, response, receiver.received.filter((each) => each.body.id === body.id).length);
      });
    });
    return receiver;
  }

  of(event: string): Received[] {
    return this.received.filter(({ body }) => body.event === event);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    if (this.server.listening) await once(this.server, 'close');
  }
}

/** The signature that a receiver expects in the header. */
export const signatureOf = (secret: string, { headers, text }: Received): string =>
  `v1=${createHmac('sha256', secret)
    .update(`${String(headers['x-dms-timestamp'])}.${text}`)
    .digest('hex')}`;
