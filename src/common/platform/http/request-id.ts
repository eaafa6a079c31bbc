import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';
const WELL_FORMED = /^[\w.-]{1,64}$/;

export const newRequestId = (): string => randomUUID();

/** Gives every request an id, its caller's own where that is well-formed, and tells it in every answer. The log takes it from `request.id`. */
export function identifyRequests(server: Server): void {
  server.prependListener('request', (request: IncomingMessage & { id?: string }, response: ServerResponse) => {
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && WELL_FORMED.test(given) ? given : newRequestId();
    response.setHeader(REQUEST_ID_HEADER, request.id);
  });
}
