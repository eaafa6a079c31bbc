import {
  BadRequestError,
  DomainError,
  ForbiddenError,
  NotFoundError,
} from '../../../../common/platform/errors/domain-error';

export class SignInDisabledError extends NotFoundError {
  constructor() {
    super('Sign-in is disabled: the service runs with AUTH_MODE=none');
  }
}

export class UnknownSignInError extends BadRequestError {
  constructor() {
    super('This sign-in was not started in this browser, or it took too long. Start again.');
  }
}

/** The provider denied the sign-in, or its response failed verification. */
export class SignInRefusedError extends DomainError {
  constructor(
    detail: string,
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(403, detail, options);
  }
}

export class ProviderUnavailableError extends DomainError {
  constructor(options?: ErrorOptions) {
    super(503, 'The identity provider cannot be reached. Try again later.', options);
  }
}

export class AddressTakenError extends ForbiddenError {
  constructor() {
    super('The e-mail address of your account belongs to another user of this service. Contact your administrator.');
  }
}

export class InvalidLogoutTokenError extends BadRequestError {
  constructor() {
    super('The logout token is not valid');
  }
}
