import { NotFoundError, UnauthenticatedError } from '../../../../common/platform/errors/domain-error';

/** One message for every cause, so that it doesn't reveal which keys exist. */
export class InvalidTokenError extends UnauthenticatedError {
  constructor() {
    super('Invalid or expired token');
  }
}

export class ApiKeyNotFoundError extends NotFoundError {
  constructor() {
    super('API key not found');
  }
}
