import { DomainError } from '../errors/domain-error';
import { errorCode, errorMessage } from '../errors/error-code';
import { UnrecoverableError, isUnrecoverable, OutageError, outageOf } from './outage';

/** The form in which a child process sends an error, which preserves outages, unrecoverable errors and refusals for its parent. */
export interface SerializedError {
  readonly message: string;
  readonly code: string | undefined;
  readonly outage: Pick<OutageError, 'awaited' | 'detail'> | null;
  readonly unrecoverable: boolean;
  readonly refusal: Pick<DomainError, 'status' | 'detail' | 'reason'> | null;
}

class UnrecoverableChildError extends UnrecoverableError {}

export function serializeError(error: unknown): SerializedError {
  const outage = outageOf(error);
  return {
    message: errorMessage(error),
    code: errorCode(error),
    outage: outage === undefined ? null : { awaited: outage.awaited, detail: outage.detail },
    unrecoverable: isUnrecoverable(error),
    refusal: error instanceof DomainError ? { status: error.status, detail: error.detail, reason: error.reason } : null,
  };
}

export function deserializeError({ message, code, outage, unrecoverable, refusal }: SerializedError): Error {
  if (refusal !== null) return new DomainError(refusal.status, refusal.detail, { reason: refusal.reason });
  if (outage !== null) return new OutageError(outage.awaited, outage.detail, message);
  const error = unrecoverable ? new UnrecoverableChildError(message) : new Error(message);
  return code === undefined ? error : Object.assign(error, { code });
}
