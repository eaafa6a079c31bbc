import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { GatheredBytes } from '../../../platform/bytes/gathered-bytes';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

interface ReadBody {
  readonly bytes: Buffer;
  /** False if there was more than the limit. */
  readonly isWhole: boolean;
}

export interface HttpAnswer extends ReadBody {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Sends a request over a connection that is kept for the next one, and reads at most so many bytes of the answer. Redirects are not
 * followed. Costs half of what `fetch` does.
 */
export function exchange(
  { method, url, headers, body }: HttpRequest,
  mostBytes: number,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers: { 'accept-encoding': 'identity', ...headers, ...length }, signal });
    request.on('error', reject);
    request.on('response', (response) => {
      readBody(response, mostBytes).then(
        (read) => resolve({ status: response.statusCode!, headers: response.headers, ...read }),
        reject,
      );
    });
    request.end(body);
  });
}

/** Stops the transfer of what exceeds the limit. */
function readBody(response: IncomingMessage, mostBytes: number): Promise<ReadBody> {
  const gathered = new GatheredBytes();
  let size = 0;
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes) {
        gathered.add(chunk);
        return;
      }
      response.destroy();
      resolve({ bytes: gathered.whole(), isWhole: false });
    });
    response.on('end', () => resolve({ bytes: gathered.whole(), isWhole: true }));
    response.on('error', reject);
  });
}
