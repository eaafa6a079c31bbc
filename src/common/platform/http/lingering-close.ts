import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** After an early response the connection is kept if the rest of the request body is at most this long. */
const SMALL_BODY_BYTES = 64 * 1024;
const MAX_DROPPED_MS = 3000;
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;
const CHECK_INTERVAL_MS = 50;

/**
 * Delivers an early response to a client that is still sending: closing a connection while data arrives resets it, and the response is
 * lost. The rest of the body is therefore read and dropped, within limits, before the connection is closed.
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

/** Drops incoming data until `isOver` or until a limit is reached, then closes the connection. Returns a function that checks at once. */
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
