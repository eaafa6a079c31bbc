import { createHash, randomBytes } from 'node:crypto';
import { ForbiddenError, UnauthenticatedError } from '../../../../common/platform/errors/domain-error';

export class SessionEndedError extends UnauthenticatedError {
  constructor() {
    super('The session has ended. Sign in again.');
  }
}

export class NotAdmittedError extends ForbiddenError {
  constructor() {
    super('You do not have access to this service. Contact your administrator.');
  }
}

/** The session of a user who signed in with a browser. */
export interface LoginSession {
  /** A digest of the token in the cookie; the token itself is not stored. */
  readonly id: string;
  readonly userId: string;
  readonly subject: string;
  /** The `sid` of the session at the provider. */
  readonly providerSid: string | null;
  /** Sent to the provider at sign-out. */
  readonly sealedIdToken: Buffer | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly endsAt: Date;
}

const TOKEN = /^[\w-]{43}$/;

export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** Undefined for a malformed token. */
export const sessionIdOf = (token: string): string | undefined =>
  TOKEN.test(token) ? createHash('sha256').update(token).digest('base64url') : undefined;
