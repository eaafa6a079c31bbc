import { randomBytes } from 'node:crypto';
import { NotFoundError, UnauthenticatedError } from '../../../../common/platform/errors/domain-error';

/** One message for every cause, so that it doesn't reveal which keys exist. */
export class InvalidTokenError extends UnauthenticatedError {
  constructor() {
    super('Invalid or expired token');
  }
}

export class ApiKeyNotFoundError extends NotFoundError {
  constructor() {
    super('API key not found');
  }
}

export interface ApiKey {
  readonly apiKey: string;
  readonly userId: string;
  /** Sealed for this key alone. */
  readonly sealedSecret: Buffer;
  /** Id of the SECRET_KEY that sealed it. */
  readonly keyId: string;
  readonly createdAt: Date;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
}

const KEY_BYTES = 16;
const SECRET_BYTES = 32;

/** The key is an identifier and not secret. */
export const newApiKey = (): string => `dms_${randomBytes(KEY_BYTES).toString('hex')}`;
export const isApiKey = (text: string): boolean => /^dms_[0-9a-f]{32}$/.test(text);
export const newApiSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Purpose that API secrets are sealed with. */
export const API_SECRETS = 'api secrets';
