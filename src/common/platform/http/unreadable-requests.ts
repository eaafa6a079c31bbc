import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { dropInput } from './connections';
import { SERVICE_VERSION } from '../config/version';

interface Answer {
  readonly status: string;
  readonly detail: string;
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: {
    status: '413 Payload Too Large',
    detail: 'The address and the headers of the request are larger than 16 KiB, the most allowed',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', detail: 'The request took too long to arrive' },
};
const OTHER: Answer = { status: '400 Bad Request', detail: 'The request is not valid HTTP' };

/** Sends a response with `detail` for bytes that are not a valid HTTP request. */
export function respondToUnreadableRequests(server: Server): void {
  const answered = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Data after an unreadable request is not a request either.
    if (answered.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    answered.add(socket);
    const { status, detail } = ANSWERS[error.code ?? ''] ?? OTHER;
    const body = JSON.stringify({ detail });
    const head = [
      `HTTP/1.1 ${status}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `${REQUEST_ID_HEADER}: ${newRequestId()}`,
    ];
    socket.end([...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'));
    dropInput(
      socket,
      () => socket.readableEnded,
      () => socket.destroy(),
    );
  });
}

const REQUEST_ID_HEADER = 'X-Request-Id';
const VERSION_HEADER = 'X-DMS-Version';
const WELL_FORMED = /^[\w.-]{1,64}$/;

const newRequestId = (): string => randomUUID();

/**
 * Adds the version of the service to every response. Assigns an id to every request (the caller's own id if it is well-formed), and returns it. It is
 * `request.id` in log lines.
 */
export function identifyRequests(server: Server): void {
  server.prependListener('request', (request: IncomingMessage & { id?: string }, response: ServerResponse) => {
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && WELL_FORMED.test(given) ? given : newRequestId();
    response.setHeader(REQUEST_ID_HEADER, request.id);
    response.setHeader(VERSION_HEADER, SERVICE_VERSION);
  });
}
