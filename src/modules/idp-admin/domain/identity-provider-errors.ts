import {
  BadRequestError,
  ConflictError,
  DomainError,
  NotFoundError,
} from '../../../common/platform/errors/domain-error';

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
