import { BadRequestError, ForbiddenError, NotFoundError } from '../../../common/platform/errors/domain-error';

export class SharingDisabledError extends ForbiddenError {
  constructor() {
    super('Dataset sharing feature is not enabled');
  }
}

/** Also for users of other workspaces, whose existence must not be revealed. */
export class InvitedUserNotFoundError extends NotFoundError {
  constructor() {
    super('No user of this workspace has this e-mail address');
  }
}

export class NotSharedError extends NotFoundError {
  constructor() {
    super('The dataset is not shared with this user');
  }
}

export class OwnerKeepsAccessError extends BadRequestError {
  constructor() {
    super('The owner of a dataset always has access to it');
  }
}
