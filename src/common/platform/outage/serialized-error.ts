import { errorCode, errorMessage } from '../errors/error-code';
import { UnrecoverableError, isUnrecoverable, OutageError, outageOf } from './outage';

/** The form in which a child process sends an error, which preserves outages and unrecoverable errors for its parent. */
export interface SerializedError {
  readonly message: string;
  readonly code: string | undefined;
  readonly outage: Pick<OutageError, 'awaited' | 'detail'> | null;
  readonly unrecoverable: boolean;
}

class UnrecoverableChildError extends UnrecoverableError {}

export function serializeError(error: unknown): SerializedError {
  const outage = outageOf(error);
  return {
    message: errorMessage(error),
    code: errorCode(error),
    outage: outage === undefined ? null : { awaited: outage.awaited, detail: outage.detail },
    unrecoverable: isUnrecoverable(error),
  };
}

export function deserializeError({ message, code, outage, unrecoverable }: SerializedError): Error {
  if (outage !== null) return new OutageError(outage.awaited, outage.detail, message);
  const error = unrecoverable ? new UnrecoverableChildError(message) : new Error(message);
  return code === undefined ? error : Object.assign(error, { code });
}
