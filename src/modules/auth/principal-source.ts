import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { UnauthenticatedError } from '../../common/platform/errors/domain-error';
import type { Credential, Principal } from '../../common/platform/http/principal';
import { localAdmin } from '../workspaces';

export interface Caller {
  readonly principal: Principal;
  readonly credential: Credential;
  /** Asked by what outlives the request; absent where a credential never ends. */
  readonly isStillValid?: () => Promise<boolean>;
}

/** Tells who sends a request. */
export abstract class PrincipalSource {
  /** Rejects with 401 where a request shows nothing, or nothing valid. */
  abstract of(request: Request): Promise<Caller>;
}

/** `AUTH_MODE=none`: whoever reaches the service is its one local admin. */
@Injectable()
export class LocalAdminSource extends PrincipalSource {
  of(): Promise<Caller> {
    return Promise.resolve({ principal: localAdmin(), credential: { kind: 'local' } });
  }
}

/** One way to show who one is. */
export interface Authenticator {
  /** Undefined where a request shows nothing of this kind; rejects with 401 where what it shows is not valid. */
  authenticate(request: Request): Promise<Caller | undefined>;
}

/** `AUTH_MODE=oidc`: by the first credential that a request shows. */
export class CredentialSource extends PrincipalSource {
  constructor(private readonly authenticators: readonly Authenticator[]) {
    super();
  }

  async of(request: Request): Promise<Caller> {
    for (const authenticator of this.authenticators) {
      const caller = await authenticator.authenticate(request);
      if (caller !== undefined) return caller;
    }
    throw new UnauthenticatedError('Sign in, or send a bearer token');
  }
}
