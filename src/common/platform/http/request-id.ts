import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';
const WELL_FORMED = /^[\w.-]{1,64}$/;

export const newRequestId = (): string => randomUUID();

/** Assigns an id to every request, the caller's own if it is well-formed, and returns it in a header. Log lines have it as `request.id`. */
export function identifyRequests(server: Server): void {
  server.prependListener('request', (request: IncomingMessage & { id?: string }, response: ServerResponse) => {
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && WELL_FORMED.test(given) ? given : newRequestId();
    response.setHeader(REQUEST_ID_HEADER, request.id);
  });
}
