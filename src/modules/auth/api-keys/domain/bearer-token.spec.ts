import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { newApiKey } from './api-key';
import { isCurrent, isSignedBy, readBearerToken } from './bearer-token';

const NOW = 1_800_000_000;
const SECRET = 'secret';
const apiKey = newApiKey();

function tokenOf(claims: object = {}): string {
  const segment = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const given = { sub: apiKey, iss: 'sdk', iat: NOW, exp: NOW + 600, ...claims };
  const text = `${segment({ alg: 'HS256', typ: 'JWT', kid: apiKey })}.${segment(given)}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

const current = (claims: object, longest: number | null = null, now = NOW): boolean =>
  isCurrent(readBearerToken(tokenOf(claims))!, now, longest);

describe('a bearer token', () => {
  it('names its key and times, and is signed', () => {
    const token = readBearerToken(tokenOf())!;
    expect(token).toMatchObject({ apiKey, issuedAt: NOW, expiresAt: NOW + 600, notBefore: 0 });
    expect(isSignedBy(token, SECRET)).toBe(true);
    expect(isSignedBy(token, 'other')).toBe(false);
  });

  it.each([
    { iat: NOW + 60, good: true },
    { iat: NOW + 61, good: false },
    { nbf: NOW + 60, good: true },
    { nbf: NOW + 61, good: false },
    { iat: NOW - 600, exp: NOW - 59, good: true },
    { iat: NOW - 600, exp: NOW - 60, good: false },
  ])('allows clocks to differ by a minute: %j', ({ good, ...claims }) => {
    expect(current(claims)).toBe(good);
  });

  it.each([
    { longest: null, exp: NOW + 10 ** 9, good: true },
    { longest: 600, exp: NOW + 600, good: true },
    { longest: 600, exp: NOW + 601, good: false },
  ])('lives no longer than allowed: %j', ({ longest, exp, good }) => {
    expect(current({ exp }, longest)).toBe(good);
  });

  it('is not read from any other text', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 4 }), (segments) => {
        expect(readBearerToken(segments.join('.'))).toBeUndefined();
      }),
    );
  });

  it('does not survive the change of a letter', () => {
    const token = tokenOf();
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, letter) => {
        fc.pre(letter !== token[at]);
        const read = readBearerToken(token.slice(0, at) + letter + token.slice(at + 1));
        expect(read === undefined || !isSignedBy(read, SECRET)).toBe(true);
      }),
    );
  });
});
