import type { WorkspaceRoleName } from '../../../common/platform/http/access';
import { BadRequestError, ForbiddenError } from '../../../common/platform/errors/domain-error';

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
