import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';

/** The server works on these before it answers: it puts parts together, or copies objects of gigabytes. */
const SLOW_ANSWER_FACTOR = 12;

type OnAnswer = (answer: IncomingMessage) => void;

const isSlow = ({ method, headers, path }: RequestOptions): boolean =>
  (headers !== undefined && 'x-amz-copy-source' in headers) || (method === 'POST' && /uploadId=/.test(path ?? ''));

/** Requests that end when nothing comes or goes for so long, so that a store behind a dead network holds up nobody. */
export const s3Transport = (useSSL: boolean, silenceMs: number): Pick<typeof http, 'request'> => ({
  request: ((options: RequestOptions, onAnswer: OnAnswer): ClientRequest => {
    const limit = isSlow(options) ? silenceMs * SLOW_ANSWER_FACTOR : silenceMs;
    const request = (useSSL ? https : http).request(options, onAnswer);
    let answer: IncomingMessage | undefined;
    request.once('response', (begun) => (answer = begun));
    request.setTimeout(limit);
    request.on('timeout', () => {
      // What lies here unread says that the reader is slow, not the store.
      if (answer !== undefined && answer.readableLength > 0) {
        request.setTimeout(limit);
        return;
      }
      const error = new Error(`nothing was heard of ${options.hostname ?? options.host} for ${limit / 1_000} s`);
      const failure = Object.assign(error, { code: 'ETIMEDOUT' });
      answer?.destroy(failure);
      request.destroy(failure);
    });
    return request;
  }) as typeof http.request,
});
