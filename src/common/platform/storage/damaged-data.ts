import { BrokenForGoodError } from '../outage/outage';

/** Something that the database names is missing in the store, or can't be read there; the sentence is for whoever asked for it. */
export class DamagedDataError extends BrokenForGoodError {
  override readonly status = 500;

  constructor(what: string, options?: ErrorOptions) {
    super(`${what} is missing or damaged in the store. Restore it from a backup, or delete the dataset.`, options);
  }
}
