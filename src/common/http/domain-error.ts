/** Something the caller did or asked for can't be; `detail` is shown word for word. */
export class DomainError extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}

export class BadRequestError extends DomainError {
  constructor(detail: string) {
    super(400, detail);
  }
}

export class UnauthenticatedError extends DomainError {
  constructor(detail: string) {
    super(401, detail);
  }
}

export class ForbiddenError extends DomainError {
  constructor(detail: string) {
    super(403, detail);
  }
}

export class NotFoundError extends DomainError {
  constructor(detail: string) {
    super(404, detail);
  }
}

/** `retryAfterSeconds` becomes the header Retry-After. */
export class TooManyRequestsError extends DomainError {
  constructor(
    detail: string,
    readonly retryAfterSeconds: number,
  ) {
    super(429, detail);
  }
}

export class ConflictError extends DomainError {
  constructor(detail: string) {
    super(409, detail);
  }
}
