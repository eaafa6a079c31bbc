import type { Request, RequestHandler, Response } from 'express';
import { ServiceBusyError } from '../errors/domain-error';
import { callerOf, HeldBytes } from './held-bytes';

const MIB = 1024 * 1024;
/** Responses up to this size are never refused, so that errors are not. */
const SMALL_BYTES = 64 * 1024;
/** A connection that takes nothing of a response for this long is closed. */
const STALLED_MS = 15_000;
const RETRY_AFTER_SECONDS = 1;

const unsent = new HeldBytes({ all: 256 * MIB, share: 64 * MIB });

/** Refuses a request whose response would be too much; call it before the work of a large one as well. */
export function assertAnswersAreRead(request: Request, bytes = SMALL_BYTES, held = unsent): void {
  const caller = callerOf(request);
  if (!held.exceedsShare(caller, bytes) && !held.exceedsAll(bytes)) return;
  throw new ServiceBusyError(
    'Too many responses wait to be read: read them, or close their connections, and try again',
    RETRY_AFTER_SECONDS,
  );
}

/**
 * Limits the responses that are in memory because their clients do not read them: of one caller, and of all together. Files and streams are
 * sent as they are read, so they are not counted, and may be read as slowly as their client likes. Call it before any other middleware.
 */
export function limitUnsentAnswers(held = unsent): RequestHandler {
  return (request, response, next) => {
    const send = response.send.bind(response);
    response.send = (body?: unknown): Response => {
      const bytes = typeof body === 'string' ? Buffer.byteLength(body) : Buffer.isBuffer(body) ? body.length : 0;
      if (bytes > SMALL_BYTES) assertAnswersAreRead(request, bytes, held);
      // `send` calls itself for other types.
      if (bytes > 0) response.once('prefinish', () => holdUntilClosed(response, held, callerOf(request)));
      return send(body);
    };
    next();
  };
}

function holdUntilClosed(response: Response, held: HeldBytes, caller: string): void {
  const { writableLength: bytes, socket } = response;
  if (bytes === 0 || socket === null) return;
  const usual = socket.timeout ?? 0;
  held.add(caller, bytes);
  // Node.js counts it as activity when the system takes more bytes.
  socket.setTimeout(STALLED_MS);
  response.once('close', () => {
    held.release(caller, bytes);
    if (socket.timeout === STALLED_MS) socket.setTimeout(usual);
  });
}
