/** A user who may sign in. */
export interface User {
  readonly id: string;
  /** E-mail address; the username if the user has none. */
  readonly email: string;
  readonly name: string;
  /** The identity provider's id; null for the local admin. */
  readonly subject: string | null;
  readonly username: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** All realm roles at the identity provider, also those without effect here. */
  readonly realmRoles: readonly string[];
  /** Default true. False for a user disabled by an admin. */
  readonly enabled?: boolean;
  readonly createdAt: Date;
}
