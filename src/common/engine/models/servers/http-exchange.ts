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
  /** False if the response exceeded the limit. */
  readonly isWhole: boolean;
}

export interface HttpAnswer extends ReadBody {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/**
 * Sends a request over a keep-alive connection, and reads a limited number of bytes of the response. Does not follow redirects. Takes half the CPU
 * time of `fetch`.
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

/** Aborts the transfer when the limit is exceeded. */
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
