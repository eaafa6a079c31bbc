import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

interface Answer {
  readonly status: string;
  readonly detail: string;
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: {
    status: '413 Payload Too Large',
    detail: 'The address and the headers of a request may hold 16 KiB in all',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', detail: 'The request took too long to arrive' },
};
const OTHER: Answer = { status: '400 Bad Request', detail: 'The request is not valid HTTP' };

/** What can't be read as a request is answered like any other mistake, with a `detail`. */
export function answerUnreadableRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, detail } = ANSWERS[error.code ?? ''] ?? OTHER;
    const body = JSON.stringify({ detail });
    const head = [`HTTP/1.1 ${status}`, 'Connection: close', 'Content-Type: application/json; charset=utf-8'];
    socket.end([...head, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'));
  });
}
