import { createHmac, timingSafeEqual } from 'node:crypto';
import { isApiKey } from './api-key';
import { readJsonObject } from './json-object';

/** What a caller shows: a JWT of exactly the form that the specification names, not yet known to be genuine or current. */
export interface BearerToken {
  readonly apiKey: string;
  /** Seconds since 1970, as all times here. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly notBefore: number;
  readonly signedText: string;
  readonly signature: Buffer;
}

const LONGEST_TOKEN = 8192;
const DIGEST_BYTES = 32;
const ALGORITHM = 'HS256';
const ISSUER = 'sdk';
const LEEWAY_SECONDS = 60;
const HEADER_MEMBERS: readonly string[] = ['alg', 'typ', 'kid'];

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** One way to write each value: no padding, no stray bits, no foreign alphabet. */
function decode(segment: string): Buffer | undefined {
  const bytes = Buffer.from(segment, 'base64url');
  return segment !== '' && bytes.toString('base64url') === segment ? bytes : undefined;
}

function decodeObject(segment: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = decode(segment);
  return bytes === undefined ? undefined : readJsonObject(bytes);
}

/** The key that a header names. Members that would bring a key, or change how the rest is read, are refused with all others. */
function keyOf(header: Readonly<Record<string, unknown>>): string | undefined {
  const { alg, typ, kid } = header;
  if (Object.keys(header).some((name) => !HEADER_MEMBERS.includes(name))) return undefined;
  if (alg !== ALGORITHM || (typ !== undefined && typ !== 'JWT')) return undefined;
  return typeof kid === 'string' && isApiKey(kid) ? kid : undefined;
}

/** Undefined for everything that is not of the form. */
export function readBearerToken(text: string): BearerToken | undefined {
  if (text.length > LONGEST_TOKEN) return undefined;
  const segments = text.split('.');
  if (segments.length !== 3) return undefined;
  const [header, claims] = [decodeObject(segments[0]!), decodeObject(segments[1]!)];
  const signature = decode(segments[2]!);
  if (header === undefined || claims === undefined || signature?.length !== DIGEST_BYTES) return undefined;
  const apiKey = keyOf(header);
  const { sub, iss, iat, exp, nbf = 0, aud } = claims;
  if (apiKey === undefined || sub !== apiKey || iss !== ISSUER || aud !== undefined) return undefined;
  if (!isTime(iat) || !isTime(exp) || !isTime(nbf) || exp <= iat) return undefined;
  const signedText = `${segments[0]}.${segments[1]}`;
  return { apiKey, issuedAt: iat, expiresAt: exp, notBefore: nbf, signedText, signature };
}

/** Takes the same time whatever the signature is. */
export function isSignedBy({ signedText, signature }: BearerToken, secret: string): boolean {
  return timingSafeEqual(createHmac('sha256', secret).update(signedText).digest(), signature);
}

/** Clocks may differ by the leeway. `longest` is null where a token may live as long as it says. */
export function isCurrent(token: BearerToken, now: number, longest: number | null): boolean {
  if (longest !== null && token.expiresAt - token.issuedAt > longest) return false;
  const begins = Math.max(token.issuedAt, token.notBefore);
  return begins <= now + LEEWAY_SECONDS && token.expiresAt > now - LEEWAY_SECONDS;
}
