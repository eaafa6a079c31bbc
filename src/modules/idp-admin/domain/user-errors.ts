import { BadRequestError, ForbiddenError } from '../../../common/http/domain-error';

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

export class UserManagementOffError extends ForbiddenError {
  constructor() {
    super('User management is not enabled');
  }
}
