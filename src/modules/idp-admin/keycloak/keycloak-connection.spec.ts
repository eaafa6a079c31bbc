import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import {
  IdentityProviderError,
  ProviderUserNotFoundError,
  RefusedByProviderError,
  UsernameTakenError,
} from '../domain/provider-user';
import { KeycloakConnection } from './keycloak-connection';
import { KeycloakIdentityProvider } from '../provide-identity-provider';

const SECRET = 'the-secret-of-the-service-account';

interface ScriptedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly isNeverSent?: boolean;
}

const ATTEMPT = 'list the sessions';

describe('the connection to Keycloak', () => {
  let server: Server;
  let tokens: { lifetimeSeconds: number; status: number; fetched: number };
  /** One answer for each call, then empty lists of sessions. */
  let answers: ScriptedAnswer[];
  let shownTokens: (string | undefined)[];

  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  const tokenAnswer = (): ScriptedAnswer => {
    tokens.fetched += 1;
    // Keycloak's clock is an hour late.
    const iat = Math.floor(Date.now() / 1000) - 3600;
    const claims = { iat, exp: iat + tokens.lifetimeSeconds };
    const token = `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.number-${tokens.fetched}`;
    return {
      status: tokens.status,
      body: tokens.status === 200 ? { access_token: token } : { error: 'invalid_client' },
    };
  };

  beforeEach(async () => {
    tokens = { lifetimeSeconds: 300, status: 200, fetched: 0 };
    answers = [];
    shownTokens = [];
    server = createServer((request, response) => {
      const isToken = request.url?.endsWith('/token') === true;
      if (!isToken) shownTokens.push(request.headers.authorization?.split('.').at(-1));
      const { status, body = [], isNeverSent = false } = isToken ? tokenAnswer() : (answers.shift() ?? { status: 200 });
      if (!isNeverSent) response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const connect = (longestCallMs = 5000): KeycloakConnection => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new KeycloakConnection({ url, realm: 'media', clientId: 'admin', clientSecret: SECRET }, longestCallMs);
  };
  const call = (connection: KeycloakConnection): Promise<unknown> =>
    connection.run(ATTEMPT, async ({ users }) => (await users.listSessions({ id: 'ada' })).map(({ id }) => id), {
      username: 'ada',
    });
  const failureOf = async (connection: KeycloakConnection): Promise<unknown> => {
    const error: unknown = await call(connection).catch((reason: unknown) => reason);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(SECRET);
    return error;
  };
  const failed = (reason: string): IdentityProviderError => new IdentityProviderError(ATTEMPT, reason);

  it('fetches one token for concurrent calls, and reuses it until it expires', async () => {
    const connection = connect();
    await Promise.all([call(connection), call(connection), call(connection)]);
    await call(connection);
    expect(shownTokens).toEqual(Array(4).fill('number-1'));
  });

  it('fetches a new token before the last one expires', async () => {
    tokens.lifetimeSeconds = 0;
    const connection = connect();
    await call(connection);
    await call(connection);
    expect(shownTokens).toEqual(['number-1', 'number-2']);
  });

  it('fetches a new token if the last one was revoked, and repeats the call', async () => {
    const connection = connect();
    await call(connection);
    answers = [{ status: 401 }];
    await call(connection);
    expect(shownTokens).toEqual(['number-1', 'number-1', 'number-2']);
  });

  it('fetches a new token within a call of several steps', async () => {
    tokens.lifetimeSeconds = 0;
    await connect().run(ATTEMPT, async ({ users }) => {
      await users.listSessions({ id: 'ada' });
      await users.listSessions({ id: 'ada' });
    });
    expect(shownTokens).toEqual(['number-1', 'number-2']);
  });

  it('does not retry forever', async () => {
    answers = [{ status: 401 }, { status: 401, body: { error: 'HTTP 401 Unauthorized' } }];
    expect(await failureOf(connect())).toEqual(failed('it answered with status 401 (HTTP 401 Unauthorized)'));
    expect(tokens.fetched).toBe(2);
  });

  it('reports a refused service account, and tries again at the next call', async () => {
    tokens.status = 401;
    const connection = connect();
    expect(await failureOf(connection)).toEqual(failed('it refused the service account'));
    tokens.status = 200;
    expect(await call(connection)).toEqual([]);
  });

  it('times out', async () => {
    answers = [{ status: 200, isNeverSent: true }];
    expect(await failureOf(connect(100))).toEqual(failed('it did not answer in time'));
  });

  it('reports an unreachable server', async () => {
    const connection = connect();
    server.close();
    await once(server, 'close');
    expect(await failureOf(connection)).toEqual(failed('it cannot be reached'));
  });

  it.each<[string, unknown]>([
    ['a realm that is gone', { error: 'Realm not found.' }],
    ['a proxy', '<h1>404 Not Found</h1>'],
  ])('does not treat a user as deleted after a 404 of %s', async (_, body) => {
    const provider = new KeycloakIdentityProvider(connect());
    answers = [
      { status: 404, body },
      { status: 404, body },
    ];
    await expect(provider.find('ada')).rejects.toThrow(IdentityProviderError);
    await expect(provider.isEnabled('ada')).rejects.toThrow(IdentityProviderError);
    answers = [{ status: 404, body: { error: 'User not found' } }];
    expect(await provider.isEnabled('ada')).toBeUndefined();
  });

  it('does not list accounts if a page is missing', async () => {
    const page = Array.from({ length: 500 }, (_, at) => ({ id: `user-${at}`, enabled: true }));
    const provider = new KeycloakIdentityProvider(connect());
    answers = [{ status: 200, body: page }, { status: 500 }];
    await expect(provider.accounts()).rejects.toThrow(IdentityProviderError);
    answers = [
      { status: 200, body: page },
      { status: 200, body: [{ id: 'the-last', enabled: false }] },
    ];
    const accounts = await provider.accounts();
    expect([accounts.size, accounts.get('user-499')?.enabled, accounts.get('the-last')?.enabled]).toEqual([
      501,
      true,
      false,
    ]);
  });

  it.each<[ScriptedAnswer, Error]>([
    [{ status: 404, body: { error: 'User not found' } }, new ProviderUserNotFoundError()],
    [{ status: 404, body: { error: 'Realm not found.' } }, failed('it answered with status 404 (Realm not found.)')],
    [{ status: 409, body: { errorMessage: 'User exists' } }, new UsernameTakenError('ada')],
    [{ status: 403, body: { error: 'HTTP 403 Forbidden' } }, failed('its service account lacks a role for this')],
    [{ status: 200, body: '<h1>Elsewhere</h1>' }, failed('its answer was not understood')],
    [{ status: 503, body: '<h1>Busy</h1>' }, failed('it answered with status 503 (it gave no reason)')],
    [{ status: 500, body: { error: 'unknown_error' } }, failed('it answered with status 500 (unknown_error)')],
    [
      { status: 400, body: { error: 'invalidPasswordMinLengthMessage', error_description: 'minimum length 12' } },
      new RefusedByProviderError(ATTEMPT, 'minimum length 12'),
    ],
    [
      { status: 400, body: { field: 'username', errorMessage: 'error-user-attribute-read-only' } },
      new RefusedByProviderError(ATTEMPT, 'the username may not be changed'),
    ],
    [
      {
        status: 400,
        body: {
          errors: [
            { field: 'firstName', errorMessage: 'error-person-name-invalid-character' },
            { field: 'height', errorMessage: 'error-of-the-site' },
          ],
        },
      },
      new RefusedByProviderError(
        ATTEMPT,
        'the first name has a character that is not allowed; the height breaks the rule error-of-the-site',
      ),
    ],
  ])('explains %j', async (answer, error) => {
    answers = [answer];
    const failure = await failureOf(connect());
    expect(failure).toEqual(error);
    expect(failure).toBeInstanceOf(error.constructor);
  });
});
