import {
  BadRequestError,
  DomainError,
  ForbiddenError,
  NotFoundError,
} from '../../../../common/platform/errors/domain-error';

export class NobodySignsInError extends NotFoundError {
  constructor() {
    super('Nobody signs in to this service: it runs with AUTH_MODE=none');
  }
}

export class UnknownSignInError extends BadRequestError {
  constructor() {
    super('This sign-in was not begun in this browser, or took too long: begin again');
  }
}

/** What the provider sent back is not what was asked for, or can't be trusted. */
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
    super(503, 'The identity provider can not be reached: try again later', options);
  }
}

export class AddressTakenError extends ForbiddenError {
  constructor() {
    super('The e-mail address of your account belongs to another user of this service: ask its admin');
  }
}

export class InvalidLogoutTokenError extends BadRequestError {
  constructor() {
    super('The logout token is not valid');
  }
}
