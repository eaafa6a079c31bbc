import { UnrecoverableError } from '../outage/outage';
import { PermanentJobError } from './job-errors';

/** A source location in a library's own files. */
const RUST_PLACE = /,? ?\(?[^\s,()'"]{1,300}\.rs:\d{1,6}(?::\d{1,6})?\)?/g;
const LIBRARY_PLACE = / ?[^\s,()'"]{0,300}\/(?:node_modules|rustc|\.cargo)\/[^\s,()'"]{0,300}/g;
const LANCE_NAME = /\blance error: |\bLanceError\(\w{1,40}\): /g;
const MAX_CHARACTERS = 2_000;

/** The reason of a failure as shown to users, without internals of libraries. */
export function plainReason(message: string): string {
  const [first = ''] = message.slice(0, MAX_CHARACTERS).split(/\n\s{0,20}at /, 1);
  const plain = first.replace(LANCE_NAME, '').replace(RUST_PLACE, '').replace(LIBRARY_PLACE, '').trim();
  return plain === '' ? 'The job failed. See the log of the service for the reason.' : plain;
}

/** The failure as handlers receive it. */
export function userFacingError(error: Error): Error {
  const message = plainReason(error.message);
  if (message === error.message) return error;
  const isFinal = error instanceof PermanentJobError || error instanceof UnrecoverableError;
  return isFinal ? new PermanentJobError(message, { cause: error }) : new Error(message, { cause: error });
}
