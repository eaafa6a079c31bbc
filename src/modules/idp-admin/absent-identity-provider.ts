import { UserManagementOffError } from './domain/provider-user';
import { IdentityProvider } from './identity-provider';

const refuse = (): Promise<never> => Promise.reject(new UserManagementOffError());

/** Used if none is configured: role changes stay within this service, and users are managed elsewhere. */
export class AbsentIdentityProvider extends IdentityProvider {
  readonly list = refuse;
  readonly find = refuse;
  readonly accounts = refuse;
  readonly isEnabled = refuse;
  readonly create = refuse;
  readonly update = refuse;
  readonly delete = refuse;
  readonly setTemporaryPassword = refuse;
  readonly logout = refuse;
  readonly sessions = refuse;
  readonly effectiveRoles = refuse;
  readonly grantableRoles = refuse;
  readonly setRealmRoles = refuse;
  readonly grantAdminRoles = refuse;
  readonly revokeAdminRoles = refuse;
}
