import { errorCode, errorMessage } from '../errors/error-code';
import { BrokenForGoodError, isBrokenForGood, OutageError, outageOf } from './outage';

/** What a child process tells of an error, so that its parent waits for what is away and gives up what is broken. */
export interface ToldError {
  readonly message: string;
  readonly code: string | undefined;
  readonly outage: Pick<OutageError, 'awaited' | 'detail'> | null;
  readonly brokenForGood: boolean;
}

class BrokenInChildError extends BrokenForGoodError {}

export function tellError(error: unknown): ToldError {
  const outage = outageOf(error);
  return {
    message: errorMessage(error),
    code: errorCode(error),
    outage: outage === undefined ? null : { awaited: outage.awaited, detail: outage.detail },
    brokenForGood: isBrokenForGood(error),
  };
}

export function errorAsTold({ message, code, outage, brokenForGood }: ToldError): Error {
  if (outage !== null) return new OutageError(outage.awaited, outage.detail, message);
  const error = brokenForGood ? new BrokenInChildError(message) : new Error(message);
  return code === undefined ? error : Object.assign(error, { code });
}
