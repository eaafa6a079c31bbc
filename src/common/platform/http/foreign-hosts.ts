import { isIPv4 } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import type { Configuration } from '../config/configuration';
import { hostnameOf, isLoopback } from '../config/host-names';
import { isPipelinePath, pipelineError } from './pipeline-path';

/** The paths that supervisors and Prometheus request. */
const WORKER_ENDPOINTS: readonly string[] = ['/health/live', '/health/ready', '/metrics'];

/**
 * Rejects requests with a foreign Host header. Otherwise a page of another site could reach a service without sign-in by DNS rebinding. Call it
 * before adding any other middleware.
 */
export function rejectForeignHosts(app: NestExpressApplication, { hostNames }: Pick<Configuration, 'hostNames'>): void {
  if (hostNames === null) return;
  app.use((request: Request, response: Response, next: NextFunction) => {
    const { host } = request.headers;
    if (mayAsk(host, request.path, hostNames)) {
      next();
      return;
    }
    const detail = `This service does not answer to the host name ${JSON.stringify(host ?? '')}: use the host of BASE_URL or a loopback name, or add the name to ALLOWED_HOSTS`;
    response.status(403).json(isPipelinePath(request.path) ? pipelineError(403, detail).body : { detail });
  });
}

/** Whether a request for the path may have this host name. */
export function mayAsk(host: string | undefined, path: string, hostNames: readonly string[]): boolean {
  const name = hostnameOf(host ?? '');
  if (name === undefined) return false;
  if (isLoopback(name) || hostNames.includes(name)) return true;
  // Probes, Prometheus and the pipeline use the IP address of a pod; DNS rebinding needs a host name.
  return (WORKER_ENDPOINTS.includes(path) || isPipelinePath(path)) && (isIPv4(name) || name.startsWith('['));
}

/** A worker serves only health and metrics; every other request is refused. */
export function serveWorkerEndpointsOnly(app: NestExpressApplication): void {
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (WORKER_ENDPOINTS.includes(request.path)) next();
    else response.status(404).json({ detail: 'This process is a worker and serves no API: ask one with ROLE=api' });
  });
}
