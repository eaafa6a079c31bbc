import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Metrics } from './metrics';
import { beginRequestSpan, markFailed, type Span } from './spans';

const isWatching = (path: string): boolean => path.startsWith('/health/') || path === '/metrics';

/** Measures each request, and creates a span that continues the trace of the caller's `traceparent`. */
@Injectable()
export class ObservedRequestsMiddleware implements NestMiddleware {
  constructor(private readonly metrics: Metrics) {}

  use(request: Request, response: Response, next: NextFunction): void {
    if (isWatching(request.path)) {
      this.measure(request, response);
      next();
      return;
    }
    beginRequestSpan(request.method, request.headers, (span) => {
      this.measure(request, response, span);
      next();
    });
  }

  /** Adds a single listener: Node warns of more than ten on a response, and other code adds some. */
  private measure(request: Request, response: Response, span?: Span): void {
    const { method } = request;
    const stop = this.metrics.requests.startTimer({ method });
    response.once('close', () => {
      const { statusCode } = response;
      const route = (request as { route?: { path?: string } }).route?.path ?? 'unknown';
      stop({ route, status: String(statusCode) });
      if (span === undefined) return;
      span.updateName(`${method} ${route}`);
      // Without path and query: a signed URL grants access.
      span.setAttributes({
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': statusCode,
        'request.id': request.id,
      });
      if (statusCode >= 500) markFailed(span);
      span.end();
    });
  }
}
