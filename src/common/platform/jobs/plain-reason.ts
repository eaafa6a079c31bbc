import { BrokenForGoodError } from '../outage/outage';
import { PermanentJobError } from './job-errors';

/** Where a library says in which of its own files it failed. */
const RUST_PLACE = /,? ?\(?[^\s,()'"]{1,300}\.rs:\d{1,6}(?::\d{1,6})?\)?/g;
const LIBRARY_PLACE = / ?[^\s,()'"]{0,300}\/(?:node_modules|rustc|\.cargo)\/[^\s,()'"]{0,300}/g;
const LANCE_NAME = /\blance error: |\bLanceError\(\w{1,40}\): /g;
const MOST_CHARACTERS = 2_000;

/** A failure as a person may read it: without the insides of the libraries that met it. */
export function plainReason(message: string): string {
  const [first = ''] = message.slice(0, MOST_CHARACTERS).split(/\n\s{0,20}at /, 1);
  const plain = first.replace(LANCE_NAME, '').replace(RUST_PLACE, '').replace(LIBRARY_PLACE, '').trim();
  return plain === '' ? 'The work failed for a reason that only the log tells' : plain;
}

/** The failure that handlers are told of. */
export function shownError(error: Error): Error {
  const message = plainReason(error.message);
  if (message === error.message) return error;
  const isFinal = error instanceof PermanentJobError || error instanceof BrokenForGoodError;
  return isFinal ? new PermanentJobError(message, { cause: error }) : new Error(message, { cause: error });
}
