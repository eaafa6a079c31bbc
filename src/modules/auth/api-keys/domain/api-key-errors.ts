import { NotFoundError, UnauthenticatedError } from '../../../../common/platform/errors/domain-error';

/** One sentence for whatever is wrong: it tells nobody which keys there are. */
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
