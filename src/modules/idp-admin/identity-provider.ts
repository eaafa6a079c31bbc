import {
  type NewProviderUser,
  type ProviderAccount,
  type ProviderSession,
  type ProviderUser,
  UserManagementOffError,
} from './domain/provider-user';

export interface UserPage {
  readonly search: string | undefined;
  readonly first: number;
  readonly max: number;
}

/** The identity provider's admin API. Calls that fail reject with IdentityProviderError and change nothing. */
export abstract class IdentityProvider {
  /** Filtered by username, first or last name, case-insensitively; `total` counts all matches. */
  abstract list(page: UserPage): Promise<{ readonly users: readonly ProviderUser[]; readonly total: number }>;
  abstract find(id: string): Promise<ProviderUser | undefined>;
  /** All users by their ids. Rejects unless every page was read. */
  abstract accounts(): Promise<ReadonlyMap<string, ProviderAccount>>;
  /** Whether the user may sign in; undefined if the user doesn't exist. */
  abstract isEnabled(id: string): Promise<boolean | undefined>;
  /** Rejects with UsernameTakenError. */
  abstract create(user: NewProviderUser): Promise<ProviderUser>;
  /** Rejects with UsernameTakenError. */
  abstract update(id: string, changes: { readonly username?: string; readonly enabled?: boolean }): Promise<void>;
  /** Succeeds if the user is already deleted. */
  abstract delete(id: string): Promise<void>;
  /** The user must change it at the next sign-in. */
  abstract setTemporaryPassword(id: string, password: string): Promise<void>;
  /** Ends all sessions at the provider. */
  abstract logout(id: string): Promise<void>;
  abstract sessions(id: string): Promise<readonly ProviderSession[]>;
  /** All effective roles except the default ones; client roles as `client/role`. */
  abstract effectiveRoles(id: string): Promise<readonly string[]>;
  /** Names of roles that can be granted to the user. */
  abstract grantableRoles(id: string): Promise<readonly string[]>;
  /**
   * Sets exactly these, besides the realm's default roles; unknown names are ignored. Roles in `granted` are granted as every
   * kind of role of that name, the others are kept as they are.
   */
  abstract setRealmRoles(id: string, names: readonly string[], granted?: readonly string[]): Promise<void>;
  /** Grants the roles for administering users, as every kind of role of their names. */
  abstract grantAdminRoles(id: string): Promise<void>;
  abstract revokeAdminRoles(id: string): Promise<void>;
}

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
