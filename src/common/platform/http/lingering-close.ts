import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A connection whose request body is at most this long stays usable after an answer that did not wait for the body. */
const SMALL_BODY_BYTES = 64 * 1024;
const MAX_DROPPED_MS = 3000;
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;
const LOOK_EACH_MS = 50;

/**
 * Lets an answer reach a client that still sends: a connection that is closed while data arrives is reset, and the answer is lost
 * with it. So the rest of the body is read and dropped, for a few seconds and some megabytes, and only then is the connection closed.
 */
export function lingerOnEarlyAnswers(server: Server): void {
  // Whoever waits for "100 Continue" gets it when the body is read, not before.
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

/** Drops what arrives until `isOver`, or until it is too much or takes too long; then closes the connection. Answers how to look at once. */
export function dropInput(socket: Socket, isOver: () => boolean, whenOver: () => void): () => void {
  const endsAt = Date.now() + MAX_DROPPED_MS;
  const readBefore = socket.bytesRead;
  const look = (): void => {
    if (isOver()) {
      stop();
      socket.off('close', stop);
      whenOver();
    } else if (Date.now() > endsAt || socket.bytesRead - readBefore > MAX_DROPPED_BYTES) socket.destroy();
  };
  const looking = setInterval(look, LOOK_EACH_MS);
  const stop = (): void => clearInterval(looking);
  socket.once('close', stop);
  return look;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isSmall = ({ headers }: IncomingMessage): boolean => Number(headers['content-length']) <= SMALL_BODY_BYTES;

/** An answer that comes first says `Connection: close`, so that the client stops sending. */
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
  // Node calls this after the last answer: half of the connection is closed, and the other still read.
  if (isLast) socket.destroySoon = () => socket.end();
  const look = dropInput(
    socket,
    () => request.complete,
    () => {
      if (isLast) closeNow();
    },
  );
  // Many requests of one connection may come within the time between two looks.
  request.once('end', look);
}
