import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import type { Configuration } from '../config/configuration';
import { hasOwnHost } from './cross-site';
import { isPipelinePath, pipelineError } from './pipeline-path';

const DETAIL = 'This service is asked by the names of its own machine, or by the host of BASE_URL';

/**
 * Rejects requests with a foreign Host header on every route of a loopback service without sign-in, where a page of another site could
 * otherwise reach it by DNS rebinding. Call it before adding any other middleware.
 */
export function rejectForeignHosts(
  app: NestExpressApplication,
  { oidc, isOpen, baseUrl }: Pick<Configuration, 'oidc' | 'isOpen' | 'baseUrl'>,
): void {
  if (oidc !== null || isOpen) return;
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (hasOwnHost(request.headers, baseUrl)) next();
    else response.status(403).json(isPipelinePath(request.path) ? pipelineError(403, DETAIL).body : { detail: DETAIL });
  });
}
