import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { WorkspaceRoleName } from './access';

/** The authenticated caller. */
export interface Principal {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly workspaceRole: WorkspaceRoleName;
  readonly realmRoles: readonly string[];
}

/** How a request was authenticated. */
export type Credential =
  | { readonly kind: 'local' }
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'api-key'; readonly apiKey: string };

export interface AuthenticatedRequest extends Request {
  principal?: Principal;
  credential?: Credential;
  /** Whether the route changes state; the access log marks such requests. */
  changesState?: boolean;
  /** Checks whether the credential is still valid; absent if it cannot expire. */
  isStillValid?: () => Promise<boolean>;
}

export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (principal === undefined) throw new Error('A public route has no principal.');
  return principal;
});
