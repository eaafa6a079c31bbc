import { UnrecoverableError } from '../outage/outage';

/** Data that the database refers to is missing or unreadable in the store. The message is for the caller. */
export class DamagedDataError extends UnrecoverableError {
  override readonly status = 500;

  constructor(what: string, options?: ErrorOptions) {
    super(`${what} is missing or damaged in the store. Restore it from a backup, or delete the dataset.`, options);
  }
}
