import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { answerTo, parseRequest, type StubFindings, type StubRequest } from './stub-model-answers';

export interface StubOptions extends Partial<StubFindings> {
  /** The delay of each response. */
  readonly delayMs?: number;
  /** Requests are only answered when this many have arrived. */
  readonly gather?: number;
  /** The accepted key; other keys are refused. */
  readonly apiKey?: string;
  /** The known model; other models are unknown. */
  readonly model?: string;
  /** Replaces the response to some requests, each time. */
  readonly faultOf?: (asked: StubRequest) => Fault | undefined;
}

/** Replaces the response to a request. */
export type Fault = (response: ServerResponse) => void;

const JSON_TYPE = { 'content-type': 'application/json' };

/** Typical faults of servers. */
export const FAULTS = {
  status:
    (status: number, message = 'out of order', headers: Readonly<Record<string, string>> = {}): Fault =>
    (response) =>
      response.writeHead(status, { ...JSON_TYPE, ...headers }).end(JSON.stringify({ error: { message } })),
  /** Never responds. */
  hang: (): Fault => () => undefined,
  /** Sends the headers and the first bytes, and then nothing. */
  stall: (): Fault => (response) => void response.writeHead(200, JSON_TYPE).write('{"choices":['),
  /** Closes the connection before the response. */
  reset: (): Fault => (response) => void response.destroy(),
  /** Closes the connection in the middle of the response. */
  cut: (): Fault => (response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
    response.write('{"choices":[', () => response.destroy());
  },
  text:
    (text: string): Fault =>
    (response) =>
      response.writeHead(200, JSON_TYPE).end(text),
  json:
    (value: unknown): Fault =>
    (response) =>
      response.writeHead(200, JSON_TYPE).end(JSON.stringify(value)),
  /** Sends data as fast as the client reads, until it stops. */
  endless: (): Fault => (response) => {
    const piece = Buffer.alloc(256 * 1024, ' ');
    const write = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.writeHead(200, JSON_TYPE).on('drain', write);
    write();
  },
} as const;

/**
 * A model server on loopback with OpenAI's API below `/v1` and KServe's below `/v2`, for all types of models. `url` is its origin: `server.url` of a
 * manifest is `${url}/v1` with `openai` and `url` with `kserve`.
 */
export class StubModelServer {
  /** The number of requests with pictures or texts, including failed ones. */
  requests = 0;
  /** The maximum number of concurrent requests. */
  mostAtOnce = 0;
  /** The last request that was answered. */
  last: StubRequest | undefined;
  private atOnce = 0;
  private fault: Fault | undefined;
  private faultsLeft = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly options: StubOptions,
  ) {}

  static async start(options: StubOptions = {}): Promise<StubModelServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stub = new StubModelServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // A client may disconnect in the middle of its request.
      stub.answer(request, response).catch(() => response.destroy());
    });
    return stub;
  }

  /** The next requests, or all until `recover`, get the fault instead of a response. */
  fail(fault: Fault, times = Infinity): void {
    this.fault = fault;
    this.faultsLeft = times;
  }

  recover(): void {
    this.faultsLeft = 0;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    if (this.server.listening) await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isInference = request.method === 'POST';
    if (isInference) this.count(response);
    const body = await buffer(request);
    if (this.faultsLeft > 0) {
      this.faultsLeft -= 1;
      this.fault!(response);
      return;
    }
    const { apiKey, model, delayMs = 0 } = this.options;
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      FAULTS.status(401, `Incorrect API key provided: ${request.headers.authorization ?? 'none'}`)(response);
      return;
    }
    const path = request.url!;
    if (!isInference) {
      const isKnown = model === undefined || path.startsWith(`/v2/models/${model}/`);
      response.writeHead(isKnown ? 200 : 400).end();
      return;
    }
    const asked = parseRequest(path, request.headers, body);
    if (model !== undefined && asked.model !== model) {
      FAULTS.status(404, `The model ${asked.model} does not exist.`)(response);
      return;
    }
    if (delayMs > 0) await delay(delayMs);
    const fault = this.options.faultOf?.(asked);
    if (fault !== undefined) {
      fault(response);
      return;
    }
    if (this.mostAtOnce < (this.options.gather ?? 0)) await once(this.server, 'gathered');
    this.last = asked;
    FAULTS.json(await answerTo(asked, { ...DEFAULTS, ...this.options }))(response);
  }

  private count(response: ServerResponse): void {
    this.requests += 1;
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    if (this.mostAtOnce >= (this.options.gather ?? 0)) this.server.emit('gathered');
    response.once('close', () => (this.atOnce -= 1));
  }
}

const DEFAULTS: StubFindings = {
  caption: () => 'a picture',
  labels: () => [{ label: 'picture', confidence: 0.9 }],
  objects: () => [{ label: 'thing', confidence: 0.8, box: [0.1, 0.2, 0.5, 0.6] }],
  embedding: () => [3, 4],
  textEmbedding: () => [4, 3],
};
