import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';

/** The paths that supervisors and Prometheus request. */
export const WORKER_ENDPOINTS: readonly string[] = ['/health/live', '/health/ready', '/metrics'];

/** A worker serves only health and metrics; every other request is refused. */
export function serveWorkerEndpointsOnly(app: NestExpressApplication): void {
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (WORKER_ENDPOINTS.includes(request.path)) next();
    else response.status(404).json({ detail: 'This process is a worker and serves no API: ask one with ROLE=api' });
  });
}
