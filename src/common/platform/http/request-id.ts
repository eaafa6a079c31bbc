import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { SERVICE_VERSION } from '../config/version';

export const REQUEST_ID_HEADER = 'X-Request-Id';
const VERSION_HEADER = 'X-DMS-Version';
const WELL_FORMED = /^[\w.-]{1,64}$/;

export const newRequestId = (): string => randomUUID();

/** Names the version of the service in every response. Assigns an id to every request, the caller's own if it is well-formed, and returns it. Log lines have it as `request.id`. */
export function identifyRequests(server: Server): void {
  server.prependListener('request', (request: IncomingMessage & { id?: string }, response: ServerResponse) => {
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && WELL_FORMED.test(given) ? given : newRequestId();
    response.setHeader(REQUEST_ID_HEADER, request.id);
    response.setHeader(VERSION_HEADER, SERVICE_VERSION);
  });
}
