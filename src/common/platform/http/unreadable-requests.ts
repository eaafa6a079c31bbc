import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { dropInput } from './lingering-close';
import { newRequestId, REQUEST_ID_HEADER } from './request-id';

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

/** Responds with a `detail` to bytes that are no valid HTTP request. */
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
