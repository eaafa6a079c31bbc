import { CookieClient } from '../support/cookie-client';
import { OidcProvider } from '../support/oidc-provider';
import { startTestApp, type TestApp } from '../support/test-app';

describe('signing in with a browser', () => {
  let provider: OidcProvider;
  let running: TestApp;

  beforeAll(async () => {
    provider = await OidcProvider.reserve();
    running = await startTestApp(provider.variables);
    await provider.serve(running.url);
    provider.add({ sub: 'ada', email: 'Ada@example.com', email_verified: true, name: 'Ada Lovelace' });
  });

  afterAll(async () => {
    await running.close();
    await provider.stop();
  });

  it('goes the whole way', async () => {
    const browser = new CookieClient();
    provider.who = 'ada';
    const visit = await browser.visit(`${running.url}/api/v1/oidc/login?return_to=/api/v1/datasets`);
    console.log(visit.status, visit.url, visit.body, browser.names(running.url));
    expect(visit.status).toBe(200);
  });
});
