import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '../errors/domain-error';

/** The response is not received by any client; other servers use the same status for this case. */
export class CallerGoneError extends DomainError {
  constructor() {
    super(499, 'The connection was closed before the response was ready');
  }
}

const callers = new AsyncLocalStorage<() => boolean>();

/** Lets `assertCallerWaits` end the work when the caller has gone. */
export const whileCallerWaits = <T>(isGone: () => boolean, work: () => T): T => callers.run(isGone, work);

/** Called between the steps of long work for a request; does nothing in other work. */
export function assertCallerWaits(): void {
  if (callers.getStore()?.() === true) throw new CallerGoneError();
}
