import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { UnauthenticatedError } from '../../common/platform/errors/domain-error';
import type { Credential, Principal } from '../../common/platform/http/principal';
import { localAdmin } from '../workspaces';

export interface Caller {
  readonly principal: Principal;
  readonly credential: Credential;
  /** Checked by long-lived responses; absent if the credential never expires. */
  readonly isStillValid?: () => Promise<boolean>;
}

/** Identifies the caller of a request. */
export abstract class PrincipalSource {
  /** Rejects with 401 if the request has no valid credential. */
  abstract of(request: Request): Promise<Caller>;
}

/** `AUTH_MODE=none`: every caller is the local admin. */
@Injectable()
export class LocalAdminSource extends PrincipalSource {
  of(): Promise<Caller> {
    return Promise.resolve({ principal: localAdmin(), credential: { kind: 'local' } });
  }
}

/** One kind of credential. */
export interface Authenticator {
  /** Undefined if the request has no credential of this kind; rejects with 401 if it has an invalid one. */
  authenticate(request: Request): Promise<Caller | undefined>;
}

/** `AUTH_MODE=oidc`: by the first credential of the request. */
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
