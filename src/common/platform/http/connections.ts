import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { ServiceBusyError } from '../errors/domain-error';
import { callerOf, HeldBytes } from './read-body';

const IDLE_CHECK_MS = 100;

/**
 * Ends the connections of a closing server as soon as all requests are finished. Browsers open connections in advance, which would
 * otherwise keep the server open for a minute.
 */
export class OpenConnections {
  private readonly underWay = new Set<ServerResponse>();
  private isLeaving = false;

  constructor(private readonly server: Server) {
    server.prependListener('request', (_request, response: ServerResponse) => {
      this.underWay.add(response);
      response.once('close', () => this.underWay.delete(response));
      if (this.isLeaving) sendAway(response);
    });
  }

  /** From now on each response closes its connection, so that none is closed while its client sends the next request. */
  leave(): void {
    this.isLeaving = true;
    for (const response of this.underWay) sendAway(response);
  }

  async whileClosing(close: () => Promise<unknown>): Promise<void> {
    this.leave();
    const timer = setInterval(() => {
      if (!this.server.listening && this.underWay.size === 0) this.server.closeAllConnections();
    }, IDLE_CHECK_MS);
    try {
      await close();
    } finally {
      clearInterval(timer);
    }
  }
}

function sendAway(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** After an early response the connection is kept if the rest of the request body is at most this long. */
const SMALL_BODY_BYTES = 64 * 1024;
const MAX_DROPPED_MS = 3000;
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;
const CHECK_INTERVAL_MS = 50;

/**
 * Delivers an early response to a client that is still sending: closing a connection while data arrives resets it, and the response is lost. So the
 * rest of the body is read and dropped, within limits, before the connection is closed.
 */
export function lingerAfterEarlyResponses(server: Server): void {
  // A client that waits for "100 Continue" receives it when the body is read, not before.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    if (!isSmall(request)) closeUnlessRead(request, response);
    response.prependOnceListener('finish', () => {
      if (!request.complete) dropRest(request, !response.shouldKeepAlive);
    });
  });
}

/** Drops incoming data until `isOver` returns true or a limit is reached, then closes the connection. Returns a function that checks at once. */
export function dropInput(socket: Socket, isOver: () => boolean, whenOver: () => void): () => void {
  const endsAt = Date.now() + MAX_DROPPED_MS;
  const readBefore = socket.bytesRead;
  const check = (): void => {
    if (isOver()) {
      stop();
      socket.off('close', stop);
      whenOver();
    } else if (Date.now() > endsAt || socket.bytesRead - readBefore > MAX_DROPPED_BYTES) socket.destroy();
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS);
  const stop = (): void => clearInterval(timer);
  socket.once('close', stop);
  return check;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isSmall = ({ headers }: IncomingMessage): boolean => Number(headers['content-length']) <= SMALL_BODY_BYTES;

/** An early response has `Connection: close`, so that the client stops sending. */
function closeUnlessRead(request: IncomingMessage, response: ServerResponse): void {
  const mayStayOpen = response.shouldKeepAlive;
  response.shouldKeepAlive = false;
  request.once('end', () => (response.shouldKeepAlive = mayStayOpen));
}

function dropRest(request: IncomingMessage, isLast: boolean): void {
  const { socket } = request;
  request.unpipe();
  request.resume();
  const closeNow = socket.destroySoon.bind(socket);
  // Node calls this after the last response; it half-closes the connection, which can still be read.
  if (isLast) socket.destroySoon = () => socket.end();
  const look = dropInput(
    socket,
    () => request.complete,
    () => {
      if (isLast) closeNow();
    },
  );
  // One connection may carry many requests between two checks.
  request.once('end', look);
}

const MIB = 1024 * 1024;
/** Responses up to this size are never refused, so that error responses are sent. */
const SMALL_BYTES = 64 * 1024;
/** A connection that accepts no data of a response for this long is closed. */
const STALLED_MS = 15_000;
const RETRY_AFTER_SECONDS = 1;

const unsent = new HeldBytes({ all: 256 * MIB, share: 64 * MIB });

/** Refuses a request whose response would exceed the limits of unread responses. For large responses, also call it before the work. */
export function assertAnswersAreRead(request: Request, bytes = SMALL_BYTES, held = unsent): void {
  const caller = callerOf(request);
  if (!held.exceedsShare(caller, bytes) && !held.exceedsAll(bytes)) return;
  throw new ServiceBusyError(
    'Too many responses wait to be read: read them, or close their connections, and try again',
    RETRY_AFTER_SECONDS,
  );
}

/**
 * Limits the memory of responses whose clients do not read them, per caller and in total. Files and streams are read as they are sent, so they are
 * not counted and may be received at any speed. Call it before any other middleware.
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
  // Node.js counts it as activity when the system accepts more bytes.
  socket.setTimeout(STALLED_MS);
  response.once('close', () => {
    held.release(caller, bytes);
    if (socket.timeout === STALLED_MS) socket.setTimeout(usual);
  });
}

/** The number of requests that a client may send before the current response is complete. */
const MOST_WAITING = 16;

/**
 * Starts a request when the previous response on the connection has ended, since HTTP/1.1 sends responses in order anyway. Meanwhile the connection
 * is not read; if it has already sent more than `MOST_WAITING` requests, it is closed. Call it before any other middleware.
 */
export function oneRequestAtATime(): RequestHandler {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  const advance = (socket: Socket): void => {
    const next = socket.writable ? waiting.get(socket)?.shift() : undefined;
    if (next === undefined) waiting.delete(socket);
    else next();
    if (waiting.get(socket)?.length === 0) socket.resume();
  };
  return (request, response, next) => {
    const { socket } = request;
    const begin = (): void => {
      response.once('close', () => advance(socket));
      next();
    };
    const queue = waiting.get(socket);
    if (queue === undefined) {
      waiting.set(socket, []);
      begin();
    } else if (queue.length < MOST_WAITING) {
      queue.push(begin);
      socket.pause();
    } else socket.destroy();
  };
}
