import { createHash } from 'node:crypto';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { CookieClient, type Visit } from './cookie-client';
import { OidcProvider } from './oidc-provider';
import { startTestApp, type TestApp } from './test-app';

/** The program with a provider for sign-in. */
export class SigningIn {
  private constructor(
    readonly provider: OidcProvider,
    readonly running: TestApp,
  ) {}

  static async start(
    variables: Readonly<Record<string, string>> = {},
    override?: (builder: TestingModuleBuilder) => TestingModuleBuilder,
  ): Promise<SigningIn> {
    const provider = await OidcProvider.reserve();
    const running = await startTestApp({ ...provider.variables, ...variables }, override);
    await provider.serve(running.url);
    return new SigningIn(provider, running);
  }

  async close(): Promise<void> {
    await this.running.close();
    await this.provider.stop();
  }

  at(path: string): string {
    return `${this.running.url}${path}`;
  }

  sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.running.database.dataSource.query<Row[]>(text, values);
  }

  /** Follows redirects up to the first response that is not a redirect, or to a redirect outside of signing in. */
  async tryToSignIn(who: string | undefined, browser: CookieClient, query = ''): Promise<Visit> {
    this.provider.who = who;
    const isIn = (url: URL): boolean => url.origin === this.running.url && !url.pathname.startsWith('/api/v1/oidc/');
    return browser.visit(this.at(`/api/v1/oidc/login${query}`), {}, isIn);
  }

  async signIn(who: string, browser = new CookieClient()): Promise<CookieClient> {
    const visit = await this.tryToSignIn(who, browser);
    if (visit.status !== 302) throw new Error(`${who} was not let in: ${JSON.stringify(visit.body)}`);
    return browser;
  }

  session(browser: CookieClient): string | undefined {
    return browser.cookie(this.running.url, 'SESSION');
  }

  /** The id of the session in the database. */
  idOfSession(browser: CookieClient): string {
    return createHash('sha256').update(this.session(browser)!).digest('base64url');
  }

  /** 200 for a signed-in user. */
  async status(browser: CookieClient): Promise<number> {
    return (await browser.ask(this.at('/api/v1/datasets'))).status;
  }

  /** A browser with only this session cookie. */
  holding(session: string): CookieClient {
    const browser = new CookieClient();
    browser.set(this.running.url, 'SESSION', session);
    return browser;
  }
}
