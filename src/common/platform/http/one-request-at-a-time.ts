import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/** Requests that a client may send ahead of the answer to the one in progress. */
const MOST_WAITING = 16;

/**
 * Begins a request when the response to the one before it on the connection has ended, as HTTP/1.1 sends them in order anyway. Meanwhile nothing
 * more is read from the connection; one that already sent more than `MOST_WAITING` requests ahead is closed. Call it before any other middleware.
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
