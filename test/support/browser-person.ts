import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Answer } from './api-client';

/** A user with a real browser who signs in at Keycloak's page. */
export class BrowserPerson {
  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
  ) {}

  static async at(browser: Browser, url: string): Promise<BrowserPerson> {
    const context = await browser.newContext();
    return new BrowserPerson(context, await context.newPage(), url);
  }

  /** Continues as far as Keycloak allows: to the service, or to a page that requires more input. */
  async enterPassword(username: string, password: string): Promise<void> {
    await this.page.goto(`${this.url}/api/v1/oidc/login?return_to=/api/v1/workspaces`);
    await this.page.fill('#username', username);
    await this.page.fill('#password', password);
    await Promise.all([this.page.waitForEvent('domcontentloaded'), this.page.click('#kc-login')]);
  }

  async signIn(username: string, password: string): Promise<void> {
    await this.enterPassword(username, password);
    await this.untilBack();
  }

  async chooseNewPassword(password: string): Promise<void> {
    await this.page.fill('#password-new', password);
    await this.page.fill('#password-confirm', password);
    await this.page.click('#kc-passwd-update-form [type=submit]');
    await this.untilBack();
  }

  /** Sends a request from a page of the service, like its console does. */
  ask(method: string, path: string, body?: object): Promise<Pick<Answer, 'status' | 'body'>> {
    return this.page.evaluate(
      async ({ address, init }) => {
        const answer = await fetch(address, init);
        return { status: answer.status, body: await answer.json() };
      },
      {
        address: `${this.url}${path}`,
        init: {
          method,
          ...(body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        },
      },
    );
  }

  async must<Body>(status: number, method: string, path: string, body?: object): Promise<Body> {
    const answer = await this.ask(method, path, body);
    if (answer.status !== status)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  }

  close(): Promise<void> {
    return this.context.close();
  }

  private untilBack(): Promise<void> {
    return this.page.waitForURL(`${this.url}/api/v1/workspaces`);
  }
}
