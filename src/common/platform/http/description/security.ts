import type { OpenAPIObject } from '@nestjs/swagger';
import { isPipelinePath } from '../pipeline-path';
import type { DeclaredRoute } from './routes';

type SecuritySchemes = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>;
type Security = NonNullable<OpenAPIObject['security']>;

export const SECURITY_SCHEMES: SecuritySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A JWT signed by HS256 with the secret of an API key: `kid` in the header and `sub` are the name of the key, `iss` is `sdk`, `iat` and `exp` ' +
      'are required.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'SESSION',
    description: 'The session of a browser, after signing in at `/api/v1/oidc/login`.',
  },
  pipelineToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Pipeline-Token',
    description: 'The value of `PIPELINE_TOKEN`, if it is set.',
  },
  pipelineBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The value of `PIPELINE_TOKEN`, if it is set.',
  },
};

export const USUAL_SECURITY: Security = [{ apiKey: [] }, { session: [] }];

/** Undefined where the usual credentials are taken. */
export function securityOf(path: string, { access }: DeclaredRoute): Security | undefined {
  if (isPipelinePath(path)) return [{ pipelineToken: [] }, { pipelineBearer: [] }, {}];
  if (access?.kind === 'session') return [{ session: [] }];
  return access?.kind === 'public' ? [] : undefined;
}
