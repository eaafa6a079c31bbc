import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../support/random';

type Mishap = 'refused' | 'reply lost' | 'slow' | 'cut' | 'none';

const CHANCES: readonly (readonly [Mishap, number])[] = [
  ['refused', 0.1],
  ['reply lost', 0.1],
  ['slow', 0.02],
  ['cut', 0.02],
];
const SLOW_MS = 1_000;

/** A proxy for an S3 server that rejects some requests, forwards some without a response, and delays or truncates some responses. */
export class UnreliableProxy {
  isReliable = true;
  readonly mishaps = new Map<Mishap, number>();
  private readonly server: Server;

  private constructor(
    private readonly target: URL,
    private readonly random: Random,
  ) {
    this.server = createServer((request, response) => {
      this.pass(request, response);
    });
  }

  static async before(target: string, seed: number): Promise<UnreliableProxy> {
    const proxy = new UnreliableProxy(new URL(target), new Random(seed));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private mishap(): Mishap {
    if (this.isReliable) return 'none';
    let left = this.random.next();
    const [mishap] = CHANCES.find(([, chance]) => (left -= chance) < 0) ?? ['none' as const];
    this.mishaps.set(mishap, (this.mishaps.get(mishap) ?? 0) + 1);
    return mishap;
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const mishap = this.mishap();
    request.on('error', () => undefined);
    if (mishap === 'refused') {
      request.resume();
      response.writeHead(503, { 'content-type': 'application/xml' });
      response.end('<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Too many requests</Message></Error>');
      return;
    }
    const { method, url, headers } = request;
    const { hostname, port } = this.target;
    const onward = send({ hostname, port, method, path: url, headers }, (answer) => {
      void this.answer(mishap, answer, request, response);
    });
    onward.on('error', () => request.socket.destroy());
    request.pipe(onward);
  }

  private async answer(
    mishap: Mishap,
    answer: IncomingMessage,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const length = Number(answer.headers['content-length'] ?? 0);
    if (mishap === 'slow') await delay(SLOW_MS);
    if (mishap === 'reply lost') {
      answer.resume().on('end', () => request.socket.destroy());
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (mishap !== 'cut' || request.method !== 'GET' || length < 2) {
      answer.pipe(response);
      return;
    }
    let left = Math.floor(length / 2);
    answer.on('data', (chunk: Buffer) => {
      response.write(chunk.subarray(0, Math.max(0, left)), () => left <= 0 && request.socket.destroy());
      left -= chunk.length;
    });
  }
}
