import { createHash, randomBytes } from 'node:crypto';

/** Somebody signed in with a browser. */
export interface LoginSession {
  /** A digest of what the cookie holds, which is kept nowhere. */
  readonly id: string;
  readonly userId: string;
  readonly subject: string;
  /** The provider's name for its own session. */
  readonly providerSid: string | null;
  /** Shown to the provider at sign-out. */
  readonly sealedIdToken: Buffer | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly endsAt: Date;
}

const TOKEN = /^[\w-]{43}$/;

export const newSessionToken = (): string => randomBytes(32).toString('base64url');

/** Undefined for what can't be a token of ours. */
export const sessionIdOf = (token: string): string | undefined =>
  TOKEN.test(token) ? createHash('sha256').update(token).digest('base64url') : undefined;
