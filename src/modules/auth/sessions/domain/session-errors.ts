import { ForbiddenError, UnauthenticatedError } from '../../../../common/platform/errors/domain-error';

export class SessionEndedError extends UnauthenticatedError {
  constructor() {
    super('The session has ended: sign in again');
  }
}

export class NotAdmittedError extends ForbiddenError {
  constructor() {
    super('You are not admitted to this service: ask its admin');
  }
}
