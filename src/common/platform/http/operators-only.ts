import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';

const FOR_OPERATORS: readonly string[] = ['/health/live', '/health/ready', '/metrics'];

/** A worker has no callers: whoever finds it is sent away, but for its health and metrics. */
export function serveOperatorsOnly(app: NestExpressApplication): void {
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (FOR_OPERATORS.includes(request.path)) next();
    else response.status(404).json({ detail: 'This process is a worker and serves no API: ask one with ROLE=api' });
  });
}
