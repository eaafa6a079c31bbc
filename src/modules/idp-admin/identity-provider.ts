import type { NewProviderUser, ProviderAccount, ProviderSession, ProviderUser } from './domain/provider-user';

export interface UserPage {
  readonly search: string | undefined;
  readonly first: number;
  readonly max: number;
}

/** Who keeps the passwords. What it can't do now rejects with IdentityProviderError, and nothing was changed. */
export abstract class IdentityProvider {
  /** Filtered by username, first or last name in any case; `total` counts all matches. */
  abstract list(page: UserPage): Promise<{ readonly users: readonly ProviderUser[]; readonly total: number }>;
  abstract find(id: string): Promise<ProviderUser | undefined>;
  /** All users by their ids. Rejects unless the provider told them to the last page. */
  abstract accounts(): Promise<ReadonlyMap<string, ProviderAccount>>;
  /** Whether the user may sign in; undefined when the provider says that there is no such user. */
  abstract isEnabled(id: string): Promise<boolean | undefined>;
  /** Rejects with UsernameTakenError. */
  abstract create(user: NewProviderUser): Promise<ProviderUser>;
  /** Rejects with UsernameTakenError. */
  abstract update(id: string, changes: { readonly username?: string; readonly enabled?: boolean }): Promise<void>;
  /** Also of somebody who is gone already. */
  abstract delete(id: string): Promise<void>;
  /** To be changed at the next sign-in. */
  abstract setTemporaryPassword(id: string, password: string): Promise<void>;
  /** Ends all its sessions. */
  abstract logout(id: string): Promise<void>;
  abstract sessions(id: string): Promise<readonly ProviderSession[]>;
  /** All roles that the user has, by whatever way, without those of everybody; roles of clients as `client/role`. */
  abstract effectiveRoles(id: string): Promise<readonly string[]>;
  /** Names of roles that the user doesn't have and could be given. */
  abstract grantableRoles(id: string): Promise<readonly string[]>;
  /**
   * Exactly these, but for the realm's default roles; names it doesn't know are left out. Those of `granted` are granted by every
   * kind of role of the name, the others stay as the user has them.
   */
  abstract setRealmRoles(id: string, names: readonly string[], granted?: readonly string[]): Promise<void>;
  /** What administering users needs, by every kind of role that grants it. */
  abstract grantAdminRoles(id: string): Promise<void>;
  abstract revokeAdminRoles(id: string): Promise<void>;
}
