import type { Request, Response } from 'express';
import { BadRequestError, DomainError, ServiceBusyError } from '../errors/domain-error';

/** What the body of a route may hold that does not say otherwise. */
export const DEFAULT_BODY_BYTES = 64 * 1024;
/** Of all bodies together that are being read into memory or worked on. */
const MAX_BYTES_IN_MEMORY = 32 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;
/** However slow the client is, a body has this long, and a second more for each 64 KiB it may hold. */
const BASE_SECONDS = 10;
const BYTES_PER_SECOND = 64 * 1024;

let bytesInMemory = 0;

/** To be called before the first byte is read: refuses what will not be read, and tells the client to send the rest. */
export function openBody(request: Request, response: Response, maxBytes = Infinity): void {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity')
    throw new DomainError(415, `The body is encoded as "${encoding}". Send it without Content-Encoding.`);
  if (Number(request.headers['content-length']) > maxBytes) throw bodyTooLarge(maxBytes);
  if (request.destroyed) throw brokenOff();
  if (request.headers.expect !== undefined) response.writeContinue();
}

/**
 * Watches a body that is kept in memory while somebody else reads it. Fails it when it is too large, too slow, or breaks off, or
 * when all such bodies together are too many. Ends the watch by calling what it returns.
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
  // What waits behind another answer of its connection does not learn that the connection is gone.
  response.once('close', release);
  request.socket.once('close', release);
  const onData = (chunk: Buffer): void => {
    held += chunk.length;
    bytesInMemory += chunk.length;
    if (held > maxBytes) fail(bodyTooLarge(maxBytes));
    else if (bytesInMemory > MAX_BYTES_IN_MEMORY)
      fail(new ServiceBusyError('Too many large requests are being worked on; try again shortly', RETRY_AFTER_SECONDS));
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

export const brokenOff = (): Error => new BadRequestError('The body broke off before its end');

const bodyTooLarge = (maxBytes: number): Error =>
  new DomainError(413, `The body is larger than the ${maxBytes / 1024} KiB that are allowed here`);
