import { Injectable, type CanActivate } from '@nestjs/common';
import { AbsentIdentityProvider } from '../absent-identity-provider';
import { UserManagementOffError } from '../domain/user-errors';
import { IdentityProvider } from '../identity-provider';

/** Sign-in may be configured without user management. */
@Injectable()
export class UserManagementGuard implements CanActivate {
  constructor(private readonly provider: IdentityProvider) {}

  canActivate(): boolean {
    if (this.provider instanceof AbsentIdentityProvider) throw new UserManagementOffError();
    return true;
  }
}
