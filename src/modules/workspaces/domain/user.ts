/** Somebody who may sign in, as this service knows them. */
export interface User {
  readonly id: string;
  /** Their address; the username of somebody who has none. */
  readonly email: string;
  readonly name: string;
  /** The identity provider's id; null for the local admin. */
  readonly subject: string | null;
  readonly username: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** All realm roles that the identity provider names, also those that mean nothing here. */
  readonly realmRoles: readonly string[];
  /** True where left out. False for somebody whom an admin keeps out. */
  readonly enabled?: boolean;
  readonly createdAt: Date;
}
