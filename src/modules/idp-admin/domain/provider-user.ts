/** Somebody as the identity provider knows them. */
export interface ProviderUser {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly enabled: boolean;
  /** Milliseconds since 1970. */
  readonly createdTimestamp: number | null;
  readonly roles: readonly string[];
  readonly lastAccess: number | null;
}

/** Of an account what is compared with what is kept here. */
export interface ProviderAccount {
  readonly enabled: boolean;
  readonly address: string;
}

/** In lower case, as kept here; the username of somebody who has none. */
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

/** What administering users takes. */
export const ADMIN_REALM_ROLES: readonly string[] = ['manage-users', 'view-users', 'query-users', 'query-groups'];

/** Of these, what the routes that administer users ask for. */
export const ROUTE_REALM_ROLES: readonly string[] = ['manage-users', 'view-users'];
