/** A user of the identity provider. */
export interface ProviderUser {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly enabled: boolean;
  /** Unix time in milliseconds. */
  readonly createdTimestamp: number | null;
  readonly roles: readonly string[];
  readonly lastAccess: number | null;
}

/** The fields of an account that are compared with the user here. */
export interface ProviderAccount {
  readonly enabled: boolean;
  readonly address: string;
}

/** In lower case; the username if the user has no address. */
export const addressOf = ({ email, username }: Pick<ProviderUser, 'email' | 'username'>): string =>
  (email ?? username).toLowerCase();

export interface NewProviderUser {
  readonly username: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly enabled: boolean;
}

export interface ProviderSession {
  readonly id: string;
  readonly username: string;
  readonly ipAddress: string;
  readonly start: number;
  readonly lastAccess: number;
  readonly clients: Readonly<Record<string, string>>;
}

/** Roles that are needed to administer users. */
export const ADMIN_REALM_ROLES: readonly string[] = ['manage-users', 'view-users', 'query-users', 'query-groups'];

/** Those of them that the routes for administering users require. */
export const ROUTE_REALM_ROLES: readonly string[] = ['manage-users', 'view-users'];
