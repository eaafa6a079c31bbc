import { createHmac, randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { WorkspaceRoleName } from '../../src/common/platform/http/access';
import { ApiKeys, Sessions } from '../../src/modules/auth';
import { DEFAULT_WORKSPACE, UserRepository, WorkspaceMemberRepository } from '../../src/modules/workspaces';
import { ApiClient } from './api-client';

export interface PersonOptions {
  readonly email: string;
  readonly role: WorkspaceRoleName;
  readonly realmRoles?: readonly string[];
  /** The subject at the identity provider. */
  readonly subject?: string;
  readonly workspaceId?: string;
}

export interface SignedIn {
  readonly userId: string;
  readonly email: string;
  readonly subject: string;
  readonly apiKey: string;
  readonly secret: string;
  /** A bearer token, signed at the time of the call. */
  token(): string;
  /** Sends such a token with every request. */
  readonly api: ApiClient;
}

/** The parts of a program in this process that a test needs; see `startTestApp`. */
export interface Running {
  readonly app: Pick<NestExpressApplication, 'get'>;
  readonly url: string;
}

/** Sign-in needs a provider, of which no server exists here; users with API keys do not need it. */
export const OIDC_VARIABLES: Readonly<Record<string, string>> = {
  AUTH_MODE: 'oidc',
  OIDC_ISSUER: 'http://127.0.0.1:9/realms/media',
  OIDC_CLIENT_ID: 'media',
  OIDC_CLIENT_SECRET: 'client secret of the tests',
};

const LIFE_SECONDS = 600;

const segment = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT with any header and claims, signed with HMAC. */
export function signedToken(header: object, claims: object, secret: string, digest = 'sha256'): string {
  const text = `${segment(header)}.${segment(claims)}`;
  return `${text}.${createHmac(digest, secret).update(text).digest('base64url')}`;
}

export function tokenOf(apiKey: string, secret: string, now = Date.now() / 1000): string {
  const iat = Math.floor(now);
  const claims = { sub: apiKey, iat, exp: iat + LIFE_SECONDS, iss: 'sdk' };
  return signedToken({ alg: 'HS256', typ: 'JWT', kid: apiKey }, claims, secret);
}

/** Creates a user with an API key, in the default workspace unless specified. */
export async function signedIn({ app, url }: Running, options: PersonOptions): Promise<SignedIn> {
  const { email, role, realmRoles = [], subject = randomUUID(), workspaceId = DEFAULT_WORKSPACE.id } = options;
  const [userId, createdAt] = [randomUUID(), new Date()];
  const name = email.split('@')[0]!;
  const names = { name, username: name, firstName: name, lastName: 'Tester' };
  await app.get(UserRepository, { strict: false }).insert({
    id: userId,
    email,
    subject,
    realmRoles,
    createdAt,
    ...names,
  });
  const members = app.get(WorkspaceMemberRepository, { strict: false });
  await members.insert({ workspaceId, userId, role, createdAt });
  const { apiKey, secret } = await app.get(ApiKeys, { strict: false }).create({ userId, email });
  const token = (): string => tokenOf(apiKey, secret);
  const api = new ApiClient(url, () => ({ authorization: `Bearer ${token()}` }));
  return { userId, email, subject, apiKey, secret, token, api };
}

/** Sends a session cookie with every request, as the user's browser does on a page of the service. */
export async function inBrowser(
  { app, url }: Running,
  { userId, subject }: Pick<SignedIn, 'userId' | 'subject'>,
): Promise<ApiClient> {
  const sessions = app.get(Sessions, { strict: false });
  const cookie = await sessions.begin({ userId, subject, providerSid: null, idToken: 'unread' });
  return new ApiClient(url, () => ({ cookie: `SESSION=${cookie}`, 'sec-fetch-site': 'same-origin' }));
}
