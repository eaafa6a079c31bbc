import { createHmac } from 'node:crypto';
import { signedToken } from './principals';

/** The parts of a token: a user's key, and that of another user. */
export interface TokenParts {
  readonly apiKey: string;
  readonly secret: string;
  readonly otherKey: string;
  readonly otherSecret: string;
}

type Members = Readonly<Record<string, unknown>>;
type ByTime = (now: number) => number;

export interface TokenMutation {
  readonly it: string;
  readonly token: (parts: TokenParts) => string;
}

const seconds = (): number => Math.floor(Date.now() / 1000);

const headerOf = ({ apiKey }: TokenParts): Members => ({ alg: 'HS256', typ: 'JWT', kid: apiKey });
const claimsOf = ({ apiKey }: TokenParts): Members => ({
  sub: apiKey,
  iat: seconds(),
  exp: seconds() + 600,
  iss: 'sdk',
});

const without = (members: Members, name: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([each]) => each !== name));

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64url');

/** Signs texts without encoding them, so that tokens can be signed that no encoder produces. */
function signText(header: string | Buffer, claims: string | Buffer, secret: string): string {
  const text = `${base64(header)}.${base64(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

export const validToken = (parts: TokenParts): string => signedToken(headerOf(parts), claimsOf(parts), parts.secret);

/** Correctly signed with the correct secret, but with these header members; undefined omits a member. */
const header = (name: string, value: unknown, digest = 'sha256'): TokenMutation => ({
  it: `the header has ${value === undefined ? `no ${name}` : `${name} ${JSON.stringify(value)}`}`,
  token: (parts) => {
    const members = without(headerOf(parts), name);
    return signedToken(
      value === undefined ? members : { ...members, [name]: value },
      claimsOf(parts),
      parts.secret,
      digest,
    );
  },
});

const claim = (name: string, value: unknown): TokenMutation => ({
  it: value === undefined ? `there is no ${name}` : `${name} is ${JSON.stringify(value)}`,
  token: (parts) => {
    const members = without(claimsOf(parts), name);
    return signedToken(headerOf(parts), value === undefined ? members : { ...members, [name]: value }, parts.secret);
  },
});

const timed = (it: string, times: Readonly<Record<string, ByTime>>): TokenMutation => ({
  it,
  token: (parts) => {
    const now = seconds();
    const given = Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time(now)]));
    return signedToken(headerOf(parts), { ...claimsOf(parts), ...given }, parts.secret);
  },
});

/** The valid token, with its three segments combined in another way. */
const segments = (
  it: string,
  change: (header: string, claims: string, signature: string) => string,
): TokenMutation => ({
  it,
  token: (parts) => {
    const [first, second, third] = validToken(parts).split('.');
    return change(first!, second!, third!);
  },
});

const text = (it: string, change: (header: string, claims: string) => [string | Buffer, string | Buffer]) => ({
  it,
  token: (parts: TokenParts): string => {
    const [first, second] = change(JSON.stringify(headerOf(parts)), JSON.stringify(claimsOf(parts)));
    return signText(first, second, parts.secret);
  },
});

const HEADERS: readonly TokenMutation[] = [
  ...['none', 'None', 'NONE', 'hs256', 'HS384', 'HS512', 'RS256', 'ES256', 'PS256', 'EdDSA', 'dir', ''].map((alg) =>
    header('alg', alg),
  ),
  header('alg', undefined),
  header('alg', null),
  header('alg', ['HS256']),
  { ...header('alg', 'HS384', 'sha384'), it: 'it is signed by HS384' },
  { ...header('alg', 'HS512', 'sha512'), it: 'it is signed by HS512' },
  header('typ', 'JWS'),
  header('typ', 'at+jwt'),
  header('typ', null),
  header('typ', ['JWT']),
  header('kid', undefined),
  header('kid', ''),
  header('kid', 7),
  header('kid', null),
  header('kid', '../../../dev/null'),
  header('kid', "' OR true --"),
  header('kid', 'dms_00000000000000000000000000000000'),
  header('crit', ['exp']),
  header('crit', []),
  header('b64', false),
  header('jwk', { kty: 'oct', k: 'AAAA' }),
  header('jku', 'http://127.0.0.1:9/keys'),
  header('x5u', 'http://127.0.0.1:9/chain'),
  header('zip', 'DEF'),
  header('cty', 'JWT'),
];

const CLAIMS: readonly TokenMutation[] = [
  ...['sub', 'iss', 'iat', 'exp'].flatMap((name) => [claim(name, undefined), claim(name, null), claim(name, '')]),
  ...['SDK', 'https://sdk', ['sdk'], true].map((iss) => claim('iss', iss)),
  claim('sub', 'dms_00000000000000000000000000000000'),
  claim('sub', ['dms_00000000000000000000000000000000']),
  claim('iat', '1700000000'),
  claim('iat', true),
  claim('iat', -1),
  timed('it lives longer than thirty days', { exp: (now) => now + 30 * 24 * 3600 + 1 }),
  timed('it was made two minutes from now', { iat: (now) => now + 120 }),
  timed('iat is in milliseconds', { iat: (now) => now * 1000 }),
  claim('exp', '9999999999'),
  claim('exp', true),
  claim('exp', [9_999_999_999]),
  claim('exp', 0),
  timed('it ends when it begins', { exp: (now) => now }),
  timed('it ends before it begins', { exp: (now) => now - 5 }),
  timed('it ended two minutes ago', { iat: (now) => now - 720, exp: (now) => now - 120 }),
  timed('it is valid from two minutes from now', { nbf: (now) => now + 120 }),
  claim('nbf', 'now'),
  claim('aud', 'somebody else'),
];

const FORMS: readonly TokenMutation[] = [
  segments('it has no signature', (first, second) => `${first}.${second}`),
  segments('its signature is empty', (first, second) => `${first}.${second}.`),
  segments('it has four segments', (first, second, third) => `${first}.${second}.${third}.${third}`),
  segments('it has five segments', (first, second, third) => `${first}.${second}.${third}.${first}.${second}`),
  segments('it begins with a dot', (first, second, third) => `.${first}.${second}.${third}`),
  segments('it ends with a dot', (first, second, third) => `${first}.${second}.${third}.`),
  segments('it is only its claims', (_, second) => second),
  segments('it is dots', () => '..'),
  segments('its segments are in another order', (first, second, third) => `${second}.${first}.${third}`),
  segments('its signature is padded', (first, second, third) => `${first}.${second}.${third}=`),
  segments('its header is padded', (first, second, third) => `${first}=.${second}.${third}`),
  segments('its signature ends in stray bits', (first, second, third) => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return `${first}.${second}.${third.slice(0, -1)}${alphabet[alphabet.indexOf(third.at(-1)!) + 1]!}`;
  }),
  segments('its signature is cut', (first, second, third) => `${first}.${second}.${third.slice(0, -4)}`),
  segments('its signature is longer', (first, second, third) => `${first}.${second}.${third}AAAA`),
  segments('its signature is hexadecimal', (first, second, third) => {
    return `${first}.${second}.${Buffer.from(third, 'base64url').toString('hex')}`;
  }),
  segments('a bit of its signature is flipped', (first, second, third) => {
    const bytes = Buffer.from(third, 'base64url');
    bytes[0] = bytes[0]! ^ 1;
    return `${first}.${second}.${bytes.toString('base64url')}`;
  }),
  text('its header is a list', (_, claims) => ['[]', claims]),
  text('its header is no JSON', (first, claims) => [first.slice(1), claims]),
  text('its header names kid twice', (first, claims) => [`{"kid":"another",${first.slice(1)}`, claims]),
  text('its claims are a list', (first, claims) => [first, `[${claims}]`]),
  text('its claims are null', (first) => [first, 'null']),
  text('its claims are no JSON', (first, claims) => [first, `${claims},`]),
  text('its claims name sub twice', (first, claims) => [first, `{"sub":"another",${claims.slice(1)}`]),
  text('its claims name sub twice, escaped', (first, claims) => [first, `{"s\\u0075b":"another",${claims.slice(1)}`]),
  text('its claims begin with a byte order mark', (first, claims) => [first, `\ufeff${claims}`]),
  text('its claims are no UTF-8', (first, claims) => [
    first,
    Buffer.concat([Buffer.from(`${claims.slice(0, -1)},"name":"`), Buffer.of(0xff), Buffer.from('"}')]),
  ]),
  text('it never ends', (first, claims) => [first, claims.replace(/"exp":\d+/, '"exp":1e999')]),
  text('its claims nest deeply', (first, claims) => [
    first,
    `${claims.slice(0, -1)},"deep":${'['.repeat(2000)}${']'.repeat(1999)}}`,
  ]),
  text('it is longer than 8 KB', (first, claims) => [first, `${claims.slice(0, -1)},"filler":"${'a'.repeat(7000)}"}`]),
];

const resigned = (it: string, secretOf: (parts: TokenParts) => string): TokenMutation => ({
  it,
  token: (parts) => signedToken(headerOf(parts), claimsOf(parts), secretOf(parts)),
});

const SIGNATURES: readonly TokenMutation[] = [
  resigned('the secret of somebody else signed it', ({ otherSecret }) => otherSecret),
  resigned('the empty secret signed it', () => ''),
  resigned('its key signed it', ({ apiKey }) => apiKey),
  resigned('the secret without its last letter signed it', ({ secret }) => secret.slice(0, -1)),
  {
    it: 'the bytes that the secret spells signed it',
    token: (parts) =>
      signedToken(headerOf(parts), claimsOf(parts), Buffer.from(parts.secret, 'base64url').toString('latin1')),
  },
  {
    it: 'it names the key of somebody else',
    token: (parts) => {
      const other = { ...parts, apiKey: parts.otherKey };
      return signedToken(headerOf(other), claimsOf(other), parts.secret);
    },
  },
  {
    it: 'its header names the key of somebody else',
    token: (parts) => signedToken(headerOf({ ...parts, apiKey: parts.otherKey }), claimsOf(parts), parts.secret),
  },
  {
    it: 'its claims name somebody else',
    token: (parts) => signedToken(headerOf(parts), claimsOf({ ...parts, apiKey: parts.otherKey }), parts.secret),
  },
  {
    it: 'its claims were changed after it was signed',
    token: (parts) => {
      const [first, , third] = validToken(parts).split('.');
      return `${first}.${base64(JSON.stringify({ ...claimsOf(parts), exp: seconds() + 9999 }))}.${third}`;
    },
  },
  {
    it: 'its header was changed after it was signed',
    token: (parts) => {
      const [, second, third] = validToken(parts).split('.');
      return `${base64(JSON.stringify({ kid: parts.apiKey, alg: 'HS256' }))}.${second}.${third}`;
    },
  },
];

/** All of these must be refused. */
export const TOKEN_MUTATIONS: readonly TokenMutation[] = [...HEADERS, ...CLAIMS, ...FORMS, ...SIGNATURES];
