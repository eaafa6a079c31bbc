import { randomBytes } from 'node:crypto';

export interface ApiKey {
  readonly apiKey: string;
  readonly userId: string;
  /** Opens for this key alone. */
  readonly sealedSecret: Buffer;
  /** Which secret key sealed it. */
  readonly keyId: string;
  readonly createdAt: Date;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
}

const KEY_BYTES = 16;
const SECRET_BYTES = 32;

/** The key names a secret and is none itself: it may be seen. */
export const newApiKey = (): string => `dms_${randomBytes(KEY_BYTES).toString('hex')}`;
export const isApiKey = (text: string): boolean => /^dms_[0-9a-f]{32}$/.test(text);
export const newApiSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** What the sealer of API secrets seals. */
export const API_SECRETS = 'api secrets';
