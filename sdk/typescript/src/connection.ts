import createClient, { type Client } from 'openapi-fetch';
import { TokenSource, type Credentials } from './credentials.js';
import { ConnectionError, errorOf, MediaServiceError } from './errors.js';
import type { paths } from './generated/api.js';
import { delay } from './delay.js';
import { versionWarning } from './version.js';

export interface ConnectionOptions {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly credentials?: Credentials | undefined;
  /** Replaces the platform's fetch. Folders are always uploaded by Node's HTTP client. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** The number of retries of requests that only read or that exceeded a rate limit. Default 4. */
  readonly retries?: number;
  /** Whether to compare the version of the service with that of this package, on the first response. Default true. */
  readonly checkVersion?: boolean;
  /** Receives the warning about differing versions. Default `console.warn`. */
  readonly onWarning?: (message: string) => void;
}

type Send = (headers: Readonly<Record<string, string>>) => Promise<Response>;

const LONGEST_WAIT_SECONDS = 30;

/** Sends requests with credentials, retries them where that is safe, and converts failures to errors. */
export class Connection {
  /** Every route of the service, typed by the API description. Errors are thrown, so `data` is always present if a route has a response body. */
  readonly api: Client<paths>;
  readonly url: string;
  private readonly tokens: TokenSource;
  private readonly send: (request: Request) => Promise<Response>;
  private readonly retries: number;
  private readonly warn: (message: string) => void;
  private isChecked: boolean;

  constructor(options: ConnectionOptions) {
    if (!URL.canParse(options.url))
      throw new MediaServiceError(`"${options.url}" is not a URL, such as http://127.0.0.1:3000`);
    this.url = new URL(options.url).href.replace(/\/$/, '');
    this.tokens = new TokenSource(options.credentials);
    this.send = options.fetch ?? ((request) => fetch(request));
    this.retries = options.retries ?? 4;
    this.warn = options.onWarning ?? ((message) => console.warn(message));
    this.isChecked = options.checkVersion === false;
    this.api = createClient<paths>({
      baseUrl: this.url,
      fetch: (request) => this.fetch(request.method, () => request.clone(), request.signal),
    });
  }

  /** Sends a request by its path, for routes that the typed client does not support. */
  request(path: string, init: RequestInit = {}): Promise<Response> {
    return this.fetch(init.method ?? 'GET', () => new Request(`${this.url}${path}`, init), init.signal ?? undefined);
  }

  /** Sends a request with these headers by other means than fetch. */
  exchange(
    method: string,
    path: string,
    send: (url: string, headers: Readonly<Record<string, string>>) => Promise<Response>,
    signal?: AbortSignal,
  ): Promise<Response> {
    return this.repeat(method, (headers) => send(`${this.url}${path}`, headers), signal);
  }

  private fetch(method: string, make: () => Request, signal: AbortSignal | undefined): Promise<Response> {
    const send = (headers: Readonly<Record<string, string>>): Promise<Response> => {
      const request = make();
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
      return this.send(request);
    };
    return this.repeat(method, send, signal);
  }

  private async repeat(method: string, send: Send, signal: AbortSignal | undefined): Promise<Response> {
    const readsOnly = method === 'GET' || method === 'HEAD';
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= this.retries;
      let response: Response;
      try {
        response = await this.sendSigned(send, signal);
      } catch (error) {
        if (!(error instanceof ConnectionError) || !readsOnly || isLast) throw error;
        await delay(Math.min(2 ** attempt * 0.25, LONGEST_WAIT_SECONDS), signal);
        continue;
      }
      if (response.ok || response.status === 304) return response;
      const error = await errorOf(response, method);
      const isWorthIt = error.status === 429 || (error.status === 503 && readsOnly);
      if (!isWorthIt || isLast) throw error;
      await delay(Math.min(error.retryAfterSeconds ?? 2 ** attempt, LONGEST_WAIT_SECONDS), signal);
    }
  }

  private async sendSigned(send: Send, signal: AbortSignal | undefined): Promise<Response> {
    const response = await this.sendOnce(send, signal);
    if (response.status !== 401 || !this.tokens.adjust(response.headers.get('date'))) return response;
    await response.body?.cancel();
    return this.sendOnce(send, signal);
  }

  private async sendOnce(send: Send, signal: AbortSignal | undefined): Promise<Response> {
    const token = await this.tokens.current();
    let response: Response;
    try {
      response = await send(token === undefined ? {} : { authorization: `Bearer ${token}` });
    } catch (error) {
      if (signal?.aborted === true || error instanceof MediaServiceError) throw error;
      const cause =
        error instanceof Error ? (error.cause instanceof Error ? error.cause : error).message : String(error);
      throw new ConnectionError(`The service at ${this.url} could not be reached: ${cause}`, { cause: error });
    }
    this.checkVersion(response);
    return response;
  }

  /** Checks only once. Other error responses may come from a proxy. */
  private checkVersion({ ok, status, headers }: Response): void {
    if (this.isChecked || (!ok && status !== 401)) return;
    this.isChecked = true;
    const warning = versionWarning(headers.get('x-dms-version'));
    if (warning !== undefined) this.warn(warning);
  }
}

/** The data of a call of `api`, whose errors are thrown. */
export async function answered<T>(call: Promise<{ readonly data?: T }>): Promise<T> {
  return (await call).data as T;
}
