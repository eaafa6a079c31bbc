import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { errorCode, errorMessage } from '../../../common/platform/errors/error-code';
import type { AttemptResult } from '../domain/attempt-result';
import { WebhookHostError } from '../domain/webhook';
import { PrivateAddressError, WebhookAddresses } from './webhook-addresses';

export interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TIMEOUT_SECONDS = 10;
const MOST_ANSWER_BYTES = 64 * 1024;

/** Resolves every name to the address that was checked. */
const lookingUp =
  (pinned: LookupAddress): LookupFunction =>
  (_host, options, found) => {
    if (options.all === true) found(null, [pinned]);
    else found(null, pinned.address, pinned.family);
  };

/** Posts to a URL and returns the status; the body of the response is discarded. */
@Injectable()
export class WebhookCalls {
  constructor(private readonly addresses: WebhookAddresses) {}

  /** Rejects only if `stop` is aborted, with its reason. */
  async post(call: Call, stop: AbortSignal): Promise<AttemptResult> {
    const timeout = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000);
    const signal = AbortSignal.any([stop, timeout]);
    try {
      const url = new URL(call.url);
      const pinned = await orAbort(() => this.addresses.pin(url), signal);
      return { kind: 'answered', statusCode: await send(url, pinned, call, signal) };
    } catch (error) {
      stop.throwIfAborted();
      return {
        kind: 'unreached',
        reason: timeout.aborted ? `No answer within ${TIMEOUT_SECONDS} seconds` : reasonOf(error),
      };
    }
  }
}

async function send(url: URL, pinned: LookupAddress, { headers, body }: Call, signal: AbortSignal): Promise<number> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const sent = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup: lookingUp(pinned),
    agent: false,
    signal,
  });
  // A connection that closes after the status was received counts as answered.
  sent.on('error', () => undefined);
  sent.end(body);
  const [response] = (await once(sent, 'response', { signal })) as [IncomingMessage];
  await drain(response);
  return response.statusCode!;
}

/** The status is known already, so errors while reading the body are ignored. */
async function drain(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > MOST_ANSWER_BYTES) break;
    }
  } catch {
    response.destroy();
  }
}

/** Does not begin if the signal is aborted already. */
async function orAbort<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = new AbortController();
  try {
    return await Promise.race([
      work(),
      once(signal, 'abort', { signal: aborted.signal }).then(() => Promise.reject(signal.reason as Error)),
    ]);
  } finally {
    aborted.abort();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof WebhookHostError) return error.detail;
  if (error instanceof PrivateAddressError) return error.message;
  return `Could not be reached: ${errorCode(error) ?? errorMessage(error)}`;
}
