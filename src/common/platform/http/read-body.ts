import type { Request, Response } from 'express';
import { BadRequestError, DomainError, ServiceBusyError } from '../errors/domain-error';
import { GatheredBytes } from '../bytes/gathered-bytes';
import type { AuthenticatedRequest } from './principal';

/** Counts bytes held in memory for callers, with a limit for all of them together and one per caller. */
export class HeldBytes {
  private readonly byCaller = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: { readonly all: number; readonly share: number }) {}

  add(caller: string, bytes: number): void {
    this.total += bytes;
    const held = (this.byCaller.get(caller) ?? 0) + bytes;
    if (held === 0) this.byCaller.delete(caller);
    else this.byCaller.set(caller, held);
  }

  release(caller: string, bytes: number): void {
    this.add(caller, -bytes);
  }

  /** Whether this many more bytes would exceed the limit of the caller. */
  exceedsShare(caller: string, more = 0): boolean {
    return (this.byCaller.get(caller) ?? 0) + more > this.limits.share;
  }

  exceedsAll(more = 0): boolean {
    return this.total + more > this.limits.all;
  }
}

/** The default size limit of a body. */
export const DEFAULT_BODY_BYTES = 64 * 1024;
/** The size limit of a body whose caller is unknown. */
const ANONYMOUS_BODY_BYTES = 16 * 1024;
const RETRY_AFTER_SECONDS = 1;
/** The timeout of a body: this, plus one second for each 64 KiB of its size limit. */
const BASE_SECONDS = 10;
const BYTES_PER_SECOND = 64 * 1024;
/** The bytes of a body that must arrive in each period of `BASE_SECONDS`, until it is complete. */
const LEAST_BYTES = 64 * 1024;

/** Bodies in memory. Those without a known caller have a separate budget. The share per caller fits the largest body that a route allows. */
const heldForUsers = new HeldBytes({ all: 32 * 1024 * 1024, share: 17 * 1024 * 1024 });
const heldForAnyone = new HeldBytes({ all: 1024 * 1024, share: 128 * 1024 });

const isAnonymous = (request: Request): boolean => (request as AuthenticatedRequest).principal === undefined;

const limitOf = (request: Request, maxBytes: number): number =>
  isAnonymous(request) ? Math.min(maxBytes, ANONYMOUS_BODY_BYTES) : maxBytes;

/** Call it before reading the first byte. Refuses encoded bodies and asks a waiting client to send the rest. */
export function openBody(request: Request, response: Response, maxBytes = Infinity): void {
  const most = limitOf(request, maxBytes);
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity')
    throw new DomainError(415, `The body is encoded as "${encoding}". Send it without Content-Encoding.`);
  if (Number(request.headers['content-length']) > most) throw bodyTooLarge(most);
  if (request.destroyed) throw brokenOff();
  if (request.headers.expect !== undefined) response.writeContinue();
}

/**
 * Watches a body that is kept in memory while it is read. Calls `fail` if the body is too large, too slow or incomplete, or if the bodies of the
 * caller, or all large bodies, are too large together. Call the returned function to stop.
 */
export function watchBody(
  request: Request,
  response: Response,
  maxBytes: number,
  fail: (error: Error) => void,
): () => void {
  const most = limitOf(request, maxBytes);
  const caller = callerOf(request);
  const bodies = isAnonymous(request) ? heldForAnyone : heldForUsers;
  let held = 0;
  const stopTiming = timeBody(request, most, () => held, fail);
  const release = (): void => {
    bodies.release(caller, held);
    held = 0;
    response.off('close', release);
    request.socket.off('close', release);
  };
  // A pipelined request that waits for an earlier response gets no event when the connection closes.
  response.once('close', release);
  request.socket.once('close', release);
  const onData = (chunk: Buffer): void => {
    held += chunk.length;
    bodies.add(caller, chunk.length);
    const isSmall = bodies === heldForUsers && held <= DEFAULT_BODY_BYTES;
    if (held > most) fail(bodyTooLarge(most));
    else if (bodies.exceedsShare(caller) || (!isSmall && bodies.exceedsAll()))
      fail(new ServiceBusyError('Too many large requests are in progress; try again shortly', RETRY_AFTER_SECONDS));
  };
  const onClose = (): void => {
    if (!request.complete) fail(brokenOff());
  };
  request.on('data', onData);
  request.once('close', onClose);
  return () => {
    stopTiming();
    request.off('data', onData);
    request.off('close', onClose);
  };
}

/** Calls `fail` if the whole body takes too long, or too little of it arrives within a period. */
function timeBody(request: Request, most: number, arrived: () => number, fail: (error: Error) => void): () => void {
  const seconds = BASE_SECONDS + Math.ceil(most / BYTES_PER_SECOND);
  const tooSlow = (rule: string): void => fail(new DomainError(408, rule));
  const whole = setTimeout(() => tooSlow(`The body did not arrive within ${seconds} seconds`), seconds * 1000);
  let before = 0;
  const period = setInterval(() => {
    if (!request.complete && arrived() - before < LEAST_BYTES)
      tooSlow(`Less than ${LEAST_BYTES / 1024} KiB of the body arrived within ${BASE_SECONDS} seconds`);
    before = arrived();
  }, BASE_SECONDS * 1000);
  return () => {
    clearTimeout(whole);
    clearInterval(period);
  };
}

export async function readBody(request: Request, response: Response, maxBytes: number): Promise<Buffer> {
  openBody(request, response, maxBytes);
  const gathered = new GatheredBytes();
  const collect = (chunk: Buffer): void => gathered.add(chunk);
  let stop = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      stop = watchBody(request, response, maxBytes, reject);
      request.on('data', collect);
      request.once('end', resolve);
      request.once('error', () => reject(brokenOff()));
    });
    return gathered.whole();
  } finally {
    stop();
    request.off('data', collect);
  }
}

export const brokenOff = (): Error => new BadRequestError('The body ended before it was complete');

const bodyTooLarge = (maxBytes: number): Error =>
  new DomainError(413, `The body is larger than the ${maxBytes / 1024} KiB that are allowed here`);

/** The user of a request, or its address if there is none. */
export function callerOf(request: Request): string {
  const { principal } = request as AuthenticatedRequest;
  return principal === undefined ? `address ${request.ip}` : `user ${principal.userId}`;
}

/** Reads the fields of a URL-encoded form, for the few routes that accept one. */
export async function readUrlencoded(request: Request, response: Response): Promise<Readonly<Record<string, string>>> {
  const bytes = await readBody(request, response, DEFAULT_BODY_BYTES);
  return Object.fromEntries(new URLSearchParams(bytes.toString()));
}
