import {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  NoSuchDatasetError,
  NotFoundError,
  ServiceError,
  UnauthenticatedError,
  UploadRunningError,
} from '../errors.js';

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  unreachable: 6,
  partly: 7,
  conditionHolds: 8,
  interrupted: 130,
} as const;

/** The command line is wrong. The usage of the command is printed too. */
export class UsageError extends Error {}

/** The requested thing does not exist. */
export class NotThereError extends Error {}

export function exitCodeOf(error: unknown): number {
  const isInvalid = error instanceof InvalidRequestError && error.items.length > 0;
  if (error instanceof UsageError || isInvalid) return EXIT.usage;
  if (error instanceof UnauthenticatedError || error instanceof ForbiddenError) return EXIT.notAllowed;
  if (error instanceof NotFoundError || error instanceof NoSuchDatasetError || error instanceof NotThereError)
    return EXIT.notFound;
  if (error instanceof ConflictError || error instanceof UploadRunningError) return EXIT.conflict;
  if (error instanceof ConnectionError || (error instanceof ServiceError && error.status === 503))
    return EXIT.unreachable;
  return EXIT.failed;
}
