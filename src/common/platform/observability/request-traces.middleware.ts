import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { beginRequestSpan, markFailed } from './spans';

const isWatching = (path: string): boolean => path.startsWith('/health/') || path === '/metrics';

/** One span for each request, which continues the trace of the caller's `traceparent`. */
@Injectable()
export class RequestTracesMiddleware implements NestMiddleware {
  use(request: Request & { id?: string }, response: Response, next: NextFunction): void {
    if (isWatching(request.path)) {
      next();
      return;
    }
    const { method } = request;
    beginRequestSpan(method, request.headers, (span) => {
      response.once('close', () => {
        const { statusCode } = response;
        const path = (request as { route?: { path?: string } }).route?.path ?? 'unknown';
        span.updateName(`${method} ${path}`);
        // Neither path nor query: a signed URL grants access.
        span.setAttributes({
          'http.request.method': method,
          'http.route': path,
          'http.response.status_code': statusCode,
          'request.id': request.id,
        });
        if (statusCode >= 500) markFailed(span);
        span.end();
      });
      next();
    });
  }
}
