import {
  BadRequestError,
  ConflictError,
  DomainError,
  NotFoundError,
} from '../../../common/platform/errors/domain-error';

export class UsernameTakenError extends ConflictError {
  constructor(username: string) {
    super(`A user named ${username} exists already`);
  }
}

/** The provider has no such user. */
export class ProviderUserNotFoundError extends NotFoundError {
  constructor() {
    super('User not found');
  }
}

/** What was asked for breaks a rule that the provider was given, of passwords or of names. */
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
