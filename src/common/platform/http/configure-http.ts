import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Reflector } from '@nestjs/core';
import { ErrorFilter } from './error.filter';
import { JsonBodyInterceptor } from './json-body.interceptor';
import { lingerAfterEarlyResponses } from './connections';
import { serveOpenApi } from './description/open-api';
import { identifyRequests, respondToUnreadableRequests } from './unreadable-requests';
import { ZodValidationPipe } from './zod-validation.pipe';

const HEADERS_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_INTERVAL_MS = 2000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Large uploads may take long, so there is no request timeout; the socket timeout ends stalled requests. */
const REQUEST_TIMEOUT_MS = 6 * 60 * 60 * 1000;
const IDLE_SOCKET_TIMEOUT_MS = 120_000;
/** Middleware and downloads wait for the end of a response: some more than the ten listeners from which Node warns of a leak. */
const MOST_LISTENERS = 20;

export function configureHttp(app: NestExpressApplication): void {
  app.set('query parser', 'simple');
  app.useGlobalPipes(new ZodValidationPipe());
  app.useGlobalInterceptors(new JsonBodyInterceptor(app.get(Reflector)));
  app.useGlobalFilters(new ErrorFilter());
  serveOpenApi(app);
  prepareServer(app.getHttpServer());
}

export function prepareServer(server: Server): void {
  respondToUnreadableRequests(server);
  identifyRequests(server);
  lingerAfterEarlyResponses(server);
  server.prependListener('request', (_, response) => response.setMaxListeners(MOST_LISTENERS));
  // An option of createServer that the framework does not pass on.
  Object.assign(server, { connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.timeout = IDLE_SOCKET_TIMEOUT_MS;
}
