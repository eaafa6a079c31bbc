import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { KeycloakConnection } from '../../src/modules/idp-admin/keycloak/keycloak-connection';
import { KeycloakIdentityProvider } from '../../src/modules/idp-admin/provide-identity-provider';
import { startBrowser } from '../support/browser';
import { BrowserPerson } from '../support/browser-person';
import { ConsolePage } from '../support/console-page';
import { startTestApp, type TestApp } from '../support/test-app';
import { reviewCases } from './console-review.cases';
import { signInVariables, signInWithPassword, testKeycloak } from './keycloak-environment';

const PASSWORD = 'correct-horse';

/** The first user who signs in is the administrator of the workspace. */
describe('the console with sign-in at Keycloak', () => {
  const provider = new KeycloakIdentityProvider(new KeycloakConnection(testKeycloak()));
  const mark = randomUUID().slice(0, 8);
  const maria = `maria-${mark}@example.com`;
  const otto = `otto-${mark}@example.com`;
  let running: TestApp;
  let browser: Browser;
  let page: ConsolePage;
  let ottosPage: BrowserPerson;

  beforeAll(async () => {
    running = await startTestApp(signInVariables());
    browser = await startBrowser();
    const { id } = await provider.create({
      username: maria,
      password: PASSWORD,
      firstName: 'Maria',
      lastName: 'Manager',
      enabled: true,
    });
    await provider.grantAdminRoles(id);
    page = await ConsolePage.open(browser, running.url);
    ottosPage = await BrowserPerson.at(browser, running.url);
  });

  afterAll(async () => {
    await browser.close();
    const { users } = await provider.list({ search: mark, first: 0, max: 10 });
    for (const { id } of users) await provider.delete(id);
    await running.close();
  });

  /** Browsers log requests that fail with 401. */
  afterEach(() => {
    page.forgive(401);
    expect(page.takeErrors()).toEqual([]);
  });

  const choose = async (entry: string): Promise<void> => {
    await page.driver.getByRole('button', { name: `Actions for ${otto}` }).click();
    await page.driver.getByRole('menuitem', { name: entry }).click();
  };
  const press = (name: string): Promise<void> => page.driver.getByRole('button', { name, exact: true }).click();

  it('redirects to Keycloak, and returns to the same page after sign-in', async () => {
    await page.visit('/datasets?kept=1');
    await page.see('alertdialog', 'Sign in to continue');
    await page.driver.getByRole('button', { name: 'Sign in' }).click();
    await page.driver.fill('#username', maria);
    await page.driver.fill('#password', PASSWORD);
    await page.driver.click('#kc-login');
    await page.see('heading', 'Datasets');
    expect(page.driver.url()).toBe(`${running.url}/datasets?kept=1`);
  });

  describe('a review queue', () => reviewCases(() => ({ running, browser, provider, page, mark })));

  const fillIn = async (lastName: string, address = otto): Promise<void> => {
    await page.driver.getByLabel('E-mail address').fill(address);
    await page.driver.getByLabel('First name').fill('Otto');
    await page.driver.getByLabel('Last name').fill(lastName);
    await page.driver.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press('Create user');
  };

  it('creates a user who can sign in', async () => {
    await page.visit('/admin/users');
    await page.see('cell', maria);
    expect(await page.seriousFindings()).toEqual([]);
    await press('New user');
    expect(await page.seriousFindings()).toEqual([]);
    await fillIn('Öperator');
    await page.see('text', `${otto} is created.`);
    await page.see('cell', otto);
    await ottosPage.signIn(otto, PASSWORD);
    expect((await ottosPage.ask('GET', '/api/v1/datasets')).status).toBe(200);
  });

  it('shows why a user cannot be created', async () => {
    await press('New user');
    await fillIn('Again');
    await page.see('text', /already/i);
    page.forgive(409);
    await fillIn('<b>Markup</b>', `other-${otto}`);
    await page.see('text', /the last name has a character that is not allowed/);
    page.forgive(400);
    await press('Cancel');
  });

  it('lists the sessions of a user, and ends them', async () => {
    await choose('Sessions');
    await page.see('cell', '127.0.0.1');
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.keyboard.press('Escape');
    await choose('Log out everywhere');
    await page.see('text', `${otto} is logged out everywhere.`);
    expect((await ottosPage.ask('GET', '/api/v1/datasets')).status).toBe(401);
  });

  it('gives a user realm roles', async () => {
    await choose('Realm roles');
    await page.driver.getByLabel('Roles, separated by commas').fill('annotator, no-such-role');
    expect(await page.seriousFindings()).toEqual([]);
    await press('Save roles');
    await page.see('cell', /annotator/);
    await choose('Realm roles');
    expect(await page.driver.getByLabel('Roles, separated by commas').inputValue()).not.toContain('no-such-role');
    await press('Cancel');
  });

  it('sets a temporary password', async () => {
    await choose('Set a temporary password');
    await page.driver.getByLabel('Temporary password', { exact: true }).fill('given-by-the-admin');
    await press('Set password');
    await page.see('text', `${otto} has a new password.`);
    expect(await signInWithPassword(otto, 'given-by-the-admin')).toBe('must change the password');
    await ottosPage.enterPassword(otto, 'given-by-the-admin');
    await ottosPage.chooseNewPassword('of-his-own-choice');
  });

  it('disables and enables a user', async () => {
    await choose('Disable and log out');
    await page.see('text', `${otto} is disabled and logged out.`);
    expect((await ottosPage.ask('GET', '/api/v1/datasets')).status).toBe(401);
    await choose('Enable');
    await page.see('text', `${otto} is enabled.`);
    await ottosPage.signIn(otto, 'of-his-own-choice');
  });

  it('shows the secret of an API key once, and revokes the key', async () => {
    await page.visit('/api-keys');
    await press('New API key');
    await page.see('alertdialog', 'Your new API key');
    expect(await page.seriousFindings()).toEqual([]);
    await press('I have kept it');
    await page.driver.getByRole('button', { name: /^Revoke / }).click();
    await press('Revoke');
    await page.see('heading', 'No API keys');
  });

  it('deletes a user after showing the consequences', async () => {
    await page.visit('/admin/users');
    await choose('Delete');
    await page.see('text', /owner of the user’s datasets/);
    await press('Delete user');
    await page.see('text', `${otto} is deleted.`);
    expect((await ottosPage.ask('GET', '/api/v1/datasets')).status).toBe(401);
    expect((await provider.list({ search: otto, first: 0, max: 1 })).total).toBe(0);
  });

  it('signs out of the console and of Keycloak', async () => {
    await page.driver.getByRole('link', { name: 'Sign out' }).click();
    await page.driver.waitForURL((url) => !url.pathname.startsWith('/admin'));
    expect((await page.driver.request.get(`${running.url}/api/v1/datasets`)).status()).toBe(401);
    await page.visit('/datasets');
    await page.see('alertdialog', 'Sign in to continue');
    await page.driver.getByRole('button', { name: 'Sign in' }).click();
    // Keycloak requires the password again.
    await page.driver.locator('#password').waitFor();
  });
});
