import { OutageError, UnrecoverableError } from '../../../platform/outage/outage';

/** The server of a model is away, overloaded or failing. */
export class ModelServerOutageError extends OutageError {
  constructor(host: string, reason: string, options?: ErrorOptions) {
    const server = `the model server at ${host}`;
    super(server, `The model server at ${host} is not available. Try again in a few seconds.`, reason, options);
  }
}

/** No request can succeed until somebody changes the manifest, the key or the server. */
export class ModelServerError extends UnrecoverableError {
  override readonly status = 409;
}

/** The content of an answer is not what the protocol or the prompt asks for. The message completes "an answer that". */
export class UnreadableAnswerError extends Error {}

/** An attempt failed in a way that may pass. */
export class FailedAttemptError extends Error {
  constructor(
    message: string,
    readonly retryAfterMs = 0,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
