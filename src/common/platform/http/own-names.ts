import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import type { Configuration } from '../config/configuration';
import { isAskedByOwnName } from './other-site';
import { isPipelinePath, pipelineError } from './pipeline-path';

const DETAIL = 'This service is asked by the names of its own machine, or by the host of BASE_URL';

/**
 * Where nobody signs in and only this machine reaches the service, it answers to its own names alone, whatever the route: a page of
 * another site can have its own name lead here (DNS rebinding). To be called before the application has any other middleware.
 */
export function answerToOwnNamesOnly(
  app: NestExpressApplication,
  { oidc, isOpen, baseUrl }: Pick<Configuration, 'oidc' | 'isOpen' | 'baseUrl'>,
): void {
  if (oidc !== null || isOpen) return;
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (isAskedByOwnName(request.headers, baseUrl)) next();
    else response.status(403).json(isPipelinePath(request.path) ? pipelineError(403, DETAIL).body : { detail: DETAIL });
  });
}
