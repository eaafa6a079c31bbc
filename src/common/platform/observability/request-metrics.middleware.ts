import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Metrics } from './metrics';

@Injectable()
export class RequestMetricsMiddleware implements NestMiddleware {
  constructor(private readonly metrics: Metrics) {}

  use(request: Request, response: Response, next: NextFunction): void {
    const stop = this.metrics.requests.startTimer({ method: request.method });
    response.once('close', () => {
      const route = (request as { route?: { path?: string } }).route?.path ?? 'unknown';
      stop({ route, status: String(response.statusCode) });
    });
    next();
  }
}
