import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { isApiKey } from './api-key';
import { InvalidTokenError } from './api-key-errors';
import { readJsonObject } from './json-object';

export interface TokenRules {
  /** Of any key, also of one that there is not. */
  readonly secretOf: (apiKey: string) => Promise<string>;
  /** From issue to expiry. */
  readonly longestSeconds: number;
  readonly now?: Date;
}

const LONGEST_TOKEN = 8192;
const LEEWAY_SECONDS = 60;
const HEADER_MEMBERS: readonly string[] = ['alg', 'typ', 'kid'];
const CLAIMS = { algorithms: ['HS256'], issuer: 'sdk', requiredClaims: ['sub', 'iat', 'exp'] };

/** A short text in which each value is written in one way; jose takes padding, stray bits, a byte order mark and a member named twice. */
export const isStrictForm = (text: string): boolean =>
  text.length <= LONGEST_TOKEN &&
  text.split('.').every((segment, index) => {
    const bytes = Buffer.from(segment, 'base64url');
    return bytes.toString('base64url') === segment && (index >= 2 || readJsonObject(bytes) !== undefined);
  });

/** jose passes over members that it does not know; here one that would bring a key, or change how the rest is read, is refused. */
function keyOf(header: Parameters<JWTVerifyGetKey>[0]): string {
  const { typ = 'JWT', kid } = header;
  const isKnown = Object.keys(header).every((name) => HEADER_MEMBERS.includes(name));
  if (!isKnown || typ !== 'JWT' || typeof kid !== 'string' || !isApiKey(kid)) throw new InvalidTokenError();
  return kid;
}

/** jose takes a token of any subject and audience, and of times that never come. */
function isOfForm({ sub, aud, iat = NaN, exp = NaN }: JWTPayload, apiKey: string): boolean {
  return sub === apiKey && aud === undefined && iat >= 0 && Number.isFinite(exp) && exp > iat;
}

/** When the token ends, in seconds since 1970, if it is of exactly the form that the specification names, current, and signed by its key. */
export async function verifyBearerToken(
  text: string,
  { secretOf, longestSeconds, now = new Date() }: TokenRules,
): Promise<number> {
  if (!isStrictForm(text)) throw new InvalidTokenError();
  const secret: JWTVerifyGetKey = async (header) => Buffer.from(await secretOf(keyOf(header)));
  const options = { ...CLAIMS, clockTolerance: LEEWAY_SECONDS, currentDate: now };
  const { payload, protectedHeader } = await jwtVerify(text, secret, options).catch((error: unknown) => {
    throw error instanceof errors.JOSEError ? new InvalidTokenError() : error;
  });
  const { iat, exp } = payload as Required<JWTPayload>;
  const isCurrent = iat <= now.getTime() / 1000 + LEEWAY_SECONDS && exp - iat <= longestSeconds;
  if (!isOfForm(payload, protectedHeader.kid!) || !isCurrent) throw new InvalidTokenError();
  return exp;
}
