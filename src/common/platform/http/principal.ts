import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { WorkspaceRoleName } from './access';

/** Who asks. */
export interface Principal {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly workspaceRole: WorkspaceRoleName;
  readonly realmRoles: readonly string[];
}

/** By what a request showed who sends it. */
export type Credential =
  | { readonly kind: 'local' }
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'api-key'; readonly apiKey: string };

export interface AuthenticatedRequest extends Request {
  principal?: Principal;
  credential?: Credential;
  /** Whether its route changes something; the log tells those that do. */
  changesState?: boolean;
  /** Whether the credential would still let its caller in; absent where it never ends. */
  isStillGood?: () => Promise<boolean>;
}

export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  if (principal === undefined) throw new Error('A public route has no principal');
  return principal;
});
