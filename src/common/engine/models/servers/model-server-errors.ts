import { OutageError, UnrecoverableError } from '../../../platform/outage/outage';

/** The server of a model is unavailable, overloaded or failing. */
export class ModelServerOutageError extends OutageError {
  constructor(host: string, reason: string, options?: ErrorOptions) {
    const server = `the model server at ${host}`;
    super(server, `The model server at ${host} is not available. Try again in a few seconds.`, reason, options);
  }
}

/** No request can succeed until the manifest, the key or the server is changed. */
export class ModelServerError extends UnrecoverableError {
  override readonly status = 409;
}

/** The content of a response does not follow the protocol or the prompt. The message completes "an answer that". */
export class UnreadableAnswerError extends Error {}

/** An attempt failed in a way that may be temporary. */
export class FailedAttemptError extends Error {
  readonly retryAfterMs: number;
  /** The server failed or timed out while processing the request, which may be the cause. */
  readonly mayBeOfRequest: boolean;

  constructor(
    message: string,
    {
      retryAfterMs = 0,
      mayBeOfRequest = false,
      ...options
    }: ErrorOptions & { readonly retryAfterMs?: number; readonly mayBeOfRequest?: boolean } = {},
  ) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
    this.mayBeOfRequest = mayBeOfRequest;
  }
}
