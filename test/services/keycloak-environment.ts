import { z } from 'zod';
import type { KeycloakAdminConfiguration } from '../../src/common/platform/config/configuration';
import type { SignInOutcome } from '../support/fake-identity-provider';

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: start the services by test/services/up.`);
  return value;
}

export const testKeycloak = (): KeycloakAdminConfiguration => ({
  url: required('TEST_KEYCLOAK_URL'),
  realm: required('TEST_KEYCLOAK_REALM'),
  clientId: required('TEST_KEYCLOAK_ADMIN_CLIENT_ID'),
  clientSecret: required('TEST_KEYCLOAK_ADMIN_CLIENT_SECRET'),
});

export const testIssuer = (): string => `${required('TEST_KEYCLOAK_URL')}/realms/${required('TEST_KEYCLOAK_REALM')}`;

/** Environment variables of the whole program for sign-in and user management by Keycloak. */
export const signInVariables = (): Readonly<Record<string, string>> => ({
  AUTH_MODE: 'oidc',
  OIDC_ISSUER: testIssuer(),
  OIDC_CLIENT_ID: required('TEST_KEYCLOAK_CLIENT_ID'),
  OIDC_CLIENT_SECRET: required('TEST_KEYCLOAK_CLIENT_SECRET'),
  KEYCLOAK_ADMIN_URL: testKeycloak().url,
  KEYCLOAK_ADMIN_CLIENT_ID: testKeycloak().clientId,
  KEYCLOAK_ADMIN_CLIENT_SECRET: testKeycloak().clientSecret,
});

const tokenAnswer = z.object({ access_token: z.string().optional(), error_description: z.string().optional() });

async function askForToken(issuer: string, form: Record<string, string>): Promise<z.infer<typeof tokenAnswer>> {
  const answer = await fetch(`${issuer}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return tokenAnswer.parse(await answer.json());
}

/** Signs in with a password, like a program without a browser. */
export async function signInWithPassword(username: string, password: string): Promise<SignInOutcome> {
  const answer = await askForToken(testIssuer(), {
    grant_type: 'password',
    client_id: required('TEST_KEYCLOAK_CLIENT_ID'),
    client_secret: required('TEST_KEYCLOAK_CLIENT_SECRET'),
    username,
    password,
  });
  if (answer.access_token !== undefined) return 'signed in';
  return answer.error_description === 'Account is not fully set up' ? 'must change the password' : 'refused';
}

/** Sends a request of the admin interface as the Keycloak administrator. */
export async function asRoot(method: string, path: string, body?: unknown): Promise<unknown> {
  const { access_token: token } = await askForToken(`${required('TEST_KEYCLOAK_URL')}/realms/master`, {
    grant_type: 'password',
    client_id: 'admin-cli',
    username: required('TEST_KEYCLOAK_ROOT_USERNAME'),
    password: required('TEST_KEYCLOAK_ROOT_PASSWORD'),
  });
  const answer = await fetch(`${required('TEST_KEYCLOAK_URL')}/admin/realms/${path}`, {
    method,
    headers: { authorization: `Bearer ${token ?? ''}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
