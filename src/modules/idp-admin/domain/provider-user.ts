import {
  BadRequestError,
  ConflictError,
  DomainError,
  NotFoundError,
  ForbiddenError,
} from '../../../common/platform/errors/domain-error';
import type { WorkspaceRoleName } from '../../../common/platform/http/access';

export class SelfDeletionError extends BadRequestError {
  constructor() {
    super('You cannot delete your own account');
  }
}

export class LastAdminError extends BadRequestError {
  constructor() {
    super('The last admin cannot be deleted');
  }
}

export class OwnRoleError extends BadRequestError {
  constructor() {
    super('You cannot change your own role');
  }
}

export class NoLongerAdminError extends ForbiddenError {
  constructor() {
    super('This needs the workspace role admin');
  }
}

export class NoLongerManagerError extends ForbiddenError {
  constructor() {
    super('This needs the role manage-users, which the identity provider no longer gives you');
  }
}

export class UserManagementOffError extends ForbiddenError {
  constructor() {
    super('User management is not enabled');
  }
}

const ASK = 'Ask an admin of the workspace.';
const named = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);

export class OutrankedError extends ForbiddenError {
  constructor(theirs: WorkspaceRoleName, own: WorkspaceRoleName | undefined) {
    super(`This user has the workspace role ${theirs}, and yours is ${own ?? 'none'}: you may not manage them. ${ASK}`);
  }
}

export class StrongerRealmRoleError extends ForbiddenError {
  constructor(roles: readonly string[]) {
    super(`This user has realm roles that you don't have (${named(roles)}): you may not manage them. ${ASK}`);
  }
}

export class RoleGrantForbiddenError extends ForbiddenError {
  constructor(role: WorkspaceRoleName, own: WorkspaceRoleName | undefined) {
    super(`Only an admin of the workspace may give the role ${role}, and your role is ${own ?? 'none'}. ${ASK}`);
  }
}

export class RealmRoleGrantForbiddenError extends ForbiddenError {
  constructor(roles: readonly string[]) {
    super(
      `Only an admin of the workspace may give realm roles that administer users, or that the giver does not have: ${named(roles)}. ${ASK}`,
    );
  }
}

export class UsernameTakenError extends ConflictError {
  constructor(username: string) {
    super(`A user named ${username} already exists`);
  }
}

/** The user doesn't exist at the provider. */
export class ProviderUserNotFoundError extends NotFoundError {
  constructor() {
    super('User not found');
  }
}

/** The request violates a policy of the provider, for passwords or names. */
export class RefusedByProviderError extends BadRequestError {
  constructor(attempt: string, reason: string) {
    super(`The identity provider refused to ${attempt}: ${reason}`);
  }
}

/** The provider failed, or could not be reached. */
export class IdentityProviderError extends DomainError {
  constructor(attempt: string, reason: string, cause?: unknown) {
    super(500, `The identity provider could not ${attempt}: ${reason}`, { cause });
  }
}

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
