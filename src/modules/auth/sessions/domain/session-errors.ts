import { ForbiddenError, UnauthenticatedError } from '../../../../common/platform/errors/domain-error';

export class SessionEndedError extends UnauthenticatedError {
  constructor() {
    super('The session has ended. Sign in again.');
  }
}

export class NotAdmittedError extends ForbiddenError {
  constructor() {
    super('You do not have access to this service. Contact your administrator.');
  }
}
