import { DomainError } from '../errors/domain-error';
import { errorCode, errorMessage } from '../errors/error-code';
import { OutageError, outageOf, UnrecoverableError, unrecoverableOf } from './outage';

/** The form in which a child process sends an error, which preserves outages, unrecoverable errors and refusals for its parent. */
export interface SerializedError {
  readonly message: string;
  readonly code: string | undefined;
  readonly outage: Pick<OutageError, 'awaited' | 'detail'> | null;
  readonly unrecoverable: Pick<UnrecoverableError, 'status'> | null;
  readonly refusal: Pick<DomainError, 'status' | 'detail' | 'reason'> | null;
}

class UnrecoverableChildError extends UnrecoverableError {
  constructor(
    message: string,
    override readonly status: UnrecoverableError['status'],
  ) {
    super(message);
  }
}

export function serializeError(error: unknown): SerializedError {
  const outage = outageOf(error);
  const unrecoverable = unrecoverableOf(error);
  return {
    message: errorMessage(error),
    code: errorCode(error),
    outage: outage === undefined ? null : { awaited: outage.awaited, detail: outage.detail },
    unrecoverable: unrecoverable === undefined ? null : { status: unrecoverable.status },
    refusal: error instanceof DomainError ? { status: error.status, detail: error.detail, reason: error.reason } : null,
  };
}

export function deserializeError({ message, code, outage, unrecoverable, refusal }: SerializedError): Error {
  if (refusal !== null) return new DomainError(refusal.status, refusal.detail, { reason: refusal.reason });
  if (outage !== null) return new OutageError(outage.awaited, outage.detail, message);
  const error =
    unrecoverable === null ? new Error(message) : new UnrecoverableChildError(message, unrecoverable.status);
  return code === undefined ? error : Object.assign(error, { code });
}
