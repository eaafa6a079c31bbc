import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { newApiKey, InvalidTokenError } from './api-key';
import { verifyBearerToken } from './bearer-token';

const NOW = 1_800_000_000;
const SECRET = 'secret';
const apiKey = newApiKey();

function tokenOf(claims: object = {}): string {
  const segment = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const given = { sub: apiKey, iss: 'sdk', iat: NOW, exp: NOW + 600, ...claims };
  const text = `${segment({ alg: 'HS256', typ: 'JWT', kid: apiKey })}.${segment(given)}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

const verify = (text: string, longestSeconds = Infinity, secret = SECRET): Promise<number> =>
  verifyBearerToken(text, {
    secretOf: (key) => Promise.resolve(key === apiKey ? secret : 'of another key'),
    longestSeconds,
    now: new Date(NOW * 1000),
  });
const isGood = (text: string, longestSeconds?: number): Promise<boolean> =>
  verify(text, longestSeconds).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof InvalidTokenError)) throw error;
      return false;
    },
  );

describe('a bearer token', () => {
  it('has a key, an expiry and a signature', async () => {
    await expect(verify(tokenOf())).resolves.toBe(NOW + 600);
    await expect(verify(tokenOf(), Infinity, 'other')).rejects.toThrow(InvalidTokenError);
  });

  it('is not refused if its key cannot be loaded', async () => {
    const secretOf = () => Promise.reject(new Error('no database'));
    const asked = verifyBearerToken(tokenOf(), { secretOf, longestSeconds: Infinity, now: new Date(NOW * 1000) });
    await expect(asked).rejects.toThrow('no database');
  });

  it.each([
    { iat: NOW + 60, good: true },
    { iat: NOW + 61, good: false },
    { nbf: NOW + 60, good: true },
    { nbf: NOW + 61, good: false },
    { iat: NOW - 600, exp: NOW - 59, good: true },
    { iat: NOW - 600, exp: NOW - 60, good: false },
  ])('allows a clock skew of a minute: %j', async ({ good, ...claims }) => {
    expect(await isGood(tokenOf(claims))).toBe(good);
  });

  it.each([
    { longest: Infinity, exp: NOW + 10 ** 9, good: true },
    { longest: 600, exp: NOW + 600, good: true },
    { longest: 600, exp: NOW + 601, good: false },
  ])('has a limited lifetime: %j', async ({ longest, exp, good }) => {
    expect(await isGood(tokenOf({ exp }), longest)).toBe(good);
  });

  it('is not accepted in any other form', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { maxLength: 4 }), async (segments) => {
        expect(await isGood(segments.join('.'))).toBe(false);
      }),
    );
  });

  it('is invalid after the change of any character', async () => {
    const token = tokenOf();
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 1 }), async (at, letter) => {
        fc.pre(letter !== token[at]);
        expect(await isGood(token.slice(0, at) + letter + token.slice(at + 1))).toBe(false);
      }),
    );
  });
});
