import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../../common/platform/config/configuration';
import { DomainError, ForbiddenError } from '../../../../common/platform/errors/domain-error';
import type { AuthenticatedRequest } from '../../../../common/platform/http/principal';
import { localAdmin } from '../../../workspaces';

export class PipelineTokenError extends DomainError {
  constructor() {
    super(401, 'The pipeline token is missing or wrong: send it as Authorization: Bearer or X-Pipeline-Token');
  }
}

/** Requires the pipeline token. It may be unset only with AUTH_MODE=none. */
@Injectable()
export class PipelineGuard implements CanActivate {
  constructor(@Inject(CONFIGURATION) private readonly configuration: Configuration) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const { runMode, oidc, pipelineToken } = this.configuration;
    if (runMode === 'CLOUD')
      throw new ForbiddenError('The pipeline interface is only available in self-hosted installations');
    if (oidc !== null && pipelineToken === null)
      throw new ForbiddenError('The pipeline interface is disabled. Set PIPELINE_TOKEN to enable it.');
    if (pipelineToken !== null && !isSame(tokenOf(request.headers), pipelineToken)) throw new PipelineTokenError();
    request.principal = localAdmin();
    return true;
  }
}

export function tokenOf(headers: IncomingHttpHeaders): string {
  const own = headers['x-pipeline-token'];
  if (typeof own === 'string') return own;
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

/** Compares digests of equal length in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
