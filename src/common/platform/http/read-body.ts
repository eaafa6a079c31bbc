import type { Request, Response } from 'express';
import { BadRequestError, DomainError, ServiceBusyError } from '../errors/domain-error';

/** The default size limit of a body. */
export const DEFAULT_BODY_BYTES = 64 * 1024;
/** The limit of all bodies together that are in memory. */
const MAX_BYTES_IN_MEMORY = 32 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;
/** The timeout of a body: this, and one second more for each 64 KiB that it may contain. */
const BASE_SECONDS = 10;
const BYTES_PER_SECOND = 64 * 1024;

let bytesInMemory = 0;

/** Call it before reading the first byte. Refuses encoded bodies and asks a waiting client to send the rest. */
export function openBody(request: Request, response: Response, maxBytes = Infinity): void {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity')
    throw new DomainError(415, `The body is encoded as "${encoding}". Send it without Content-Encoding.`);
  if (Number(request.headers['content-length']) > maxBytes) throw bodyTooLarge(maxBytes);
  if (request.destroyed) throw brokenOff();
  if (request.headers.expect !== undefined) response.writeContinue();
}

/**
 * Watches a body that is kept in memory while it is read. Calls `fail` if the body is too large, too slow or incomplete, or if all such
 * bodies together are too large. Call the returned function to stop.
 */
export function watchBody(
  request: Request,
  response: Response,
  maxBytes: number,
  fail: (error: Error) => void,
): () => void {
  const seconds = BASE_SECONDS + Math.ceil(maxBytes / BYTES_PER_SECOND);
  const timer = setTimeout(
    () => fail(new DomainError(408, `The body did not arrive within ${seconds} seconds`)),
    seconds * 1000,
  );
  let held = 0;
  const release = (): void => {
    bytesInMemory -= held;
    held = 0;
    response.off('close', release);
    request.socket.off('close', release);
  };
  // A pipelined request that waits for an earlier response is not notified when the connection closes.
  response.once('close', release);
  request.socket.once('close', release);
  const onData = (chunk: Buffer): void => {
    held += chunk.length;
    bytesInMemory += chunk.length;
    if (held > maxBytes) fail(bodyTooLarge(maxBytes));
    else if (bytesInMemory > MAX_BYTES_IN_MEMORY)
      fail(new ServiceBusyError('Too many large requests are in progress; try again shortly', RETRY_AFTER_SECONDS));
  };
  const onClose = (): void => {
    if (!request.complete) fail(brokenOff());
  };
  request.on('data', onData);
  request.once('close', onClose);
  return () => {
    clearTimeout(timer);
    request.off('data', onData);
    request.off('close', onClose);
  };
}

export async function readBody(request: Request, response: Response, maxBytes: number): Promise<Buffer> {
  openBody(request, response, maxBytes);
  const chunks: Buffer[] = [];
  const collect = (chunk: Buffer): unknown => chunks.push(chunk);
  let stop = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      stop = watchBody(request, response, maxBytes, reject);
      request.on('data', collect);
      request.once('end', resolve);
      request.once('error', () => reject(brokenOff()));
    });
    return Buffer.concat(chunks);
  } finally {
    stop();
    request.off('data', collect);
  }
}

export const brokenOff = (): Error => new BadRequestError('The body ended before it was complete');

const bodyTooLarge = (maxBytes: number): Error =>
  new DomainError(413, `The body is larger than the ${maxBytes / 1024} KiB that are allowed here`);
