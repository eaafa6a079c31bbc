import { ApiClient } from '../../support/api-client';
import { inBrowser, OIDC_VARIABLES, signedIn, tokenOf, type SignedIn } from '../../support/principals';
import { runningApp } from '../../support/test-app';

const PATH = '/api/v1/api_credentials';

interface Credentials {
  readonly api_key: string;
  readonly api_secret: string;
  readonly message: string;
}

interface Listed {
  readonly api_credentials: { api_key: string; created_at: string; last_used_at: string | null }[];
}

const detail = (text: string) => ({ detail: text });

describe.each([
  { mode: 'a self-hosted service', variables: OIDC_VARIABLES },
  { mode: 'the cloud', variables: { ...OIDC_VARIABLES, RUN_MODE: 'CLOUD' } },
])('API credentials of $mode', ({ variables }) => {
  const running = runningApp(variables);
  let someone: SignedIn;
  let browser: ApiClient;

  const bearer = ({ api_key, api_secret }: Credentials): ApiClient =>
    new ApiClient(running.url, () => ({ authorization: `Bearer ${tokenOf(api_key, api_secret)}` }));

  beforeAll(async () => {
    someone = await signedIn(running, { email: 'someone@example.com', role: 'viewer' });
    browser = await inBrowser(running, someone);
  });

  it('are created in a browser, one key per request, whose secret signs tokens', async () => {
    const answer = await browser.ask('GET', PATH);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        api_key: expect.stringMatching(/^dms_[0-9a-f]{32}$/) as string,
        api_secret: expect.stringMatching(/^[\w-]{43}$/) as string,
        message: expect.stringContaining('it is shown only once') as string,
      },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [one, other] = [answer.body as Credentials, await browser.must<Credentials>(200, 'GET', PATH)];
    expect(other.api_key).not.toBe(one.api_key);
    expect(other.api_secret).not.toBe(one.api_secret);
    for (const made of [one, other]) await bearer(made).must(200, 'GET', '/api/v1/datasets');
  });

  it('are listed newest first, without secrets', async () => {
    const made = await browser.must<Credentials>(200, 'GET', PATH);
    const { api_credentials: listed } = await browser.must<Listed>(200, 'GET', `${PATH}/list`);
    expect(listed[0]).toEqual({
      api_key: made.api_key,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}$/) as string,
      last_used_at: null,
    });
    expect(listed.map(({ api_key }) => api_key)).toContain(someone.apiKey);
    expect(JSON.stringify(listed)).not.toContain(made.api_secret);
  });

  it('cannot be created by viewers', async () => {
    const count = async () => (await browser.must<Listed>(200, 'GET', `${PATH}/list`)).api_credentials.length;
    const before = await count();
    expect(await browser.ask('HEAD', PATH)).toMatchObject({ status: 404 });
    expect(await count()).toBe(before);
  });

  it('are revoked with immediate effect', async () => {
    const made = await browser.must<Credentials>(200, 'GET', PATH);
    await bearer(made).must(200, 'GET', '/api/v1/datasets');
    expect(await browser.must(200, 'DELETE', `${PATH}/${made.api_key}`)).toEqual({ message: 'API key revoked' });
    expect(await bearer(made).ask('GET', '/api/v1/datasets')).toMatchObject({ status: 401 });
    for (const gone of [made.api_key, 'dms_0'])
      expect(await browser.must(404, 'DELETE', `${PATH}/${gone}`)).toEqual(detail('API key not found'));
    for (const impossible of ['%00', `${made.api_key}%00`]) await browser.must(422, 'DELETE', `${PATH}/${impossible}`);
  });

  it('cannot be listed or revoked by other users', async () => {
    const admin = await signedIn(running, { email: 'admin@example.com', role: 'admin' });
    const other = await inBrowser(running, admin);
    const { api_credentials: listed } = await other.must<Listed>(200, 'GET', `${PATH}/list`);
    expect(listed.map(({ api_key }) => api_key)).toEqual([admin.apiKey]);
    expect(await other.must(404, 'DELETE', `${PATH}/${someone.apiKey}`)).toEqual(detail('API key not found'));
    await someone.api.must(200, 'GET', '/api/v1/datasets');
  });

  it.each([
    ['GET', PATH],
    ['GET', `${PATH}/list`],
    ['DELETE', `${PATH}/dms_0`],
  ])('require a browser: %s %s', async (method, path) => {
    expect(await someone.api.must(401, method, path)).toEqual(detail('Sign in with a browser first'));
    expect(await new ApiClient(running.url).must(401, method, path)).toEqual(detail('Sign in, or send a bearer token'));
  });

  it('are refused for an invalid token, regardless of cookies', async () => {
    const cookie = await inBrowser(running, someone);
    const both = new ApiClient(running.url, () => ({ ...cookie.headers(), authorization: 'Bearer nonsense' }));
    for (const path of [PATH, '/api/v1/datasets'])
      expect(await both.must(401, 'GET', path)).toEqual(detail('Invalid or expired token'));
  });

  it('are the only purpose of a session in the cloud', async () => {
    const answer = await browser.ask('GET', '/api/v1/datasets');
    expect({ status: answer.status, body: answer.body }).toEqual(
      'RUN_MODE' in variables ? { status: 401, body: detail('Send a bearer token') } : { status: 200, body: [] },
    );
  });
});
