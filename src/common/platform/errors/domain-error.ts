interface DomainErrorOptions extends ErrorOptions {
  /** More details, where the API fixes the wording of `detail`. */
  readonly reason?: string | undefined;
}

/** An error caused by the request. `detail` and `reason` are sent to the caller unchanged. */
export class DomainError extends Error {
  readonly reason: string | undefined;

  constructor(
    readonly status: number,
    readonly detail: string,
    options?: DomainErrorOptions,
  ) {
    super(detail, options);
    this.reason = options?.reason;
  }
}

export class BadRequestError extends DomainError {
  constructor(detail: string, reason?: string) {
    super(400, detail, { reason });
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

/** `retryAfterSeconds` is sent as the header Retry-After. */
export class ServiceBusyError extends DomainError {
  constructor(
    detail: string,
    readonly retryAfterSeconds: number,
  ) {
    super(503, detail);
  }
}

/** `retryAfterSeconds` is sent as the header Retry-After. */
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
