/** A user as described by the identity provider at sign-in. */
export interface Identity {
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly username: string | null;
  readonly name: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly realmRoles: readonly string[];
}

export type Claims = Readonly<Record<string, unknown>>;

const textOf = (claims: Claims, name: string): string | null => {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
};

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Claims)[name] : undefined;

const rolesOf = (holder: unknown): string[] => {
  const roles = memberOf(holder, 'roles');
  return Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
};

/** Realm roles, and the client roles of the same names that Keycloak's admin console uses. */
const rolesIn = (claims: Claims): string[] => [
  ...rolesOf(claims['realm_access']),
  ...rolesOf(memberOf(claims['resource_access'], 'realm-management')),
];

/** Merges claims of several tokens: the first that has a claim wins; roles are combined. */
export function identityOf(subject: string, origins: readonly Claims[]): Identity {
  const first = (name: string): string | null =>
    origins.map((claims) => textOf(claims, name)).find((value) => value !== null) ?? null;
  const withEmail = origins.find((claims) => textOf(claims, 'email') !== null);
  return {
    subject,
    email: first('email'),
    isEmailVerified: withEmail?.['email_verified'] === true,
    username: first('preferred_username'),
    name: first('name'),
    firstName: first('given_name'),
    lastName: first('family_name'),
    realmRoles: [...new Set(origins.flatMap(rolesIn))].sort(),
  };
}

/** Stored in place of the address of a user who has none. */
export const addressOf = ({ email, username, subject }: Identity): string => email ?? username ?? subject;

export function displayNameOf(identity: Identity): string {
  const both = [identity.firstName, identity.lastName].filter((part) => part !== null).join(' ');
  return identity.name ?? (both === '' ? addressOf(identity) : both);
}
