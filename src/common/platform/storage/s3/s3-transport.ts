import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';

/** For requests that the server takes long to answer: it assembles parts or copies gigabytes. */
const SLOW_ANSWER_FACTOR = 12;

type OnAnswer = (answer: IncomingMessage) => void;

const isSlow = ({ method, headers, path }: RequestOptions): boolean =>
  (headers !== undefined && 'x-amz-copy-source' in headers) || (method === 'POST' && /uploadId=/.test(path ?? ''));

/** Sends requests that are aborted if no data is sent or received for this long, so that a dead network does not block callers. */
export const s3Transport = (useSSL: boolean, idleTimeoutMs: number): Pick<typeof http, 'request'> => ({
  request: ((options: RequestOptions, onAnswer: OnAnswer): ClientRequest => {
    const limit = isSlow(options) ? idleTimeoutMs * SLOW_ANSWER_FACTOR : idleTimeoutMs;
    const request = (useSSL ? https : http).request(options, onAnswer);
    let answer: IncomingMessage | undefined;
    request.once('response', (begun) => (answer = begun));
    request.setTimeout(limit);
    request.on('timeout', () => {
      // Unread data means that the reader is slow, not the store.
      if (answer !== undefined && answer.readableLength > 0) {
        request.setTimeout(limit);
        return;
      }
      const error = new Error(`no data from ${options.hostname ?? options.host} for ${limit / 1_000} s`);
      const failure = Object.assign(error, { code: 'ETIMEDOUT' });
      answer?.destroy(failure);
      request.destroy(failure);
    });
    return request;
  }) as typeof http.request,
});
