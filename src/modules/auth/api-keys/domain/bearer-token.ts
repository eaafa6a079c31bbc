import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { isApiKey, InvalidTokenError } from './api-key';

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

export interface TokenRules {
  /** The secret of a key; must return one for unknown keys too. */
  readonly secretOf: (apiKey: string) => Promise<string>;
  /** Longest lifetime, from issue to expiry. */
  readonly longestSeconds: number;
  readonly now?: Date;
}

const LONGEST_TOKEN = 8192;
const LEEWAY_SECONDS = 60;
const HEADER_MEMBERS: readonly string[] = ['alg', 'typ', 'kid'];
const CLAIMS = { algorithms: ['HS256'], issuer: 'sdk', requiredClaims: ['sub', 'iat', 'exp'] };

/** Accepts only the canonical encoding; jose also accepts padding, stray bits, a byte order mark and duplicate members. */
export const isStrictForm = (text: string): boolean =>
  text.length <= LONGEST_TOKEN &&
  text.split('.').every((segment, index) => {
    const bytes = Buffer.from(segment, 'base64url');
    return bytes.toString('base64url') === segment && (index >= 2 || readJsonObject(bytes) !== undefined);
  });

/** jose ignores unknown header members; here any that brings a key or changes the interpretation is refused. */
function keyOf(header: Parameters<JWTVerifyGetKey>[0]): string {
  const { typ = 'JWT', kid } = header;
  const isKnown = Object.keys(header).every((name) => HEADER_MEMBERS.includes(name));
  if (!isKnown || typ !== 'JWT' || typeof kid !== 'string' || !isApiKey(kid)) throw new InvalidTokenError();
  return kid;
}

/** jose accepts any subject and audience, and times out of range. */
function isOfForm({ sub, aud, iat = NaN, exp = NaN }: JWTPayload, apiKey: string): boolean {
  return sub === apiKey && aud === undefined && iat >= 0 && Number.isFinite(exp) && exp > iat;
}

/** Returns the expiry in Unix seconds if the token has exactly the specified form, is current, and is signed by its key. */
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

/** Whether an object in the text has a duplicate member, which parsers treat differently. The text must be valid JSON. */
function hasDuplicateMember(text: string): boolean {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const names = open.at(-1)!;
      const name = JSON.parse(last) as string;
      if (names.has(name)) return true;
      names.add(name);
    } else last = token;
  }
  return false;
}

/** Undefined if the bytes are not UTF-8, not a JSON object, or have a duplicate member. */
export function readJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || hasDuplicateMember(text))
      return undefined;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
