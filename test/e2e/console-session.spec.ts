import type { Browser } from 'playwright-core';
import { ConsolePage } from '../support/console-page';
import { describeInBrowser, startBrowser } from '../support/browser';
import { pictureBytes } from '../support/pictures';
import { SigningIn } from '../support/signing-in';
import { twoPeopleCases } from './console-two-people.cases';
import { viewerCases } from './console-viewer.cases';

describeInBrowser('the session of the console', () => {
  let world: SigningIn;
  let browser: Browser;
  let page: ConsolePage;

  beforeAll(async () => {
    [world, browser] = await Promise.all([SigningIn.start(), startBrowser()]);
    world.provider.add({ sub: 'ada', email: 'ada@example.com' });
    const ada = await world.signIn('ada');
    await ada.ask(world.at('/api/v1/ingestion/new_dataset?dataset_name=of+ada'));
    page = await ConsolePage.open(browser, world.running.url);
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** Browsers log requests that fail with 401. */
  afterEach(() => {
    page.forgive(401);
    expect(page.takeErrors()).toEqual([]);
  });

  it('redirects to sign-in, and returns to the same page with its data', async () => {
    await page.visit('/datasets?kept=1');
    await page.see('alertdialog', 'Sign in to continue');
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('button', { name: 'Sign in' }).click();
    await page.see('heading', 'of ada');
    expect(page.driver.url()).toBe(world.at('/datasets?kept=1'));
  });

  it('continues an upload after signing in again', async () => {
    await page.driver.getByRole('button', { name: 'New dataset' }).click();
    await page.driver.getByText('Files of this computer').click();
    const picture = { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await pictureBytes(1) };
    await page.driver.locator('input[type=file]').first().setInputFiles(picture);
    await page.driver.getByLabel('Name', { exact: true }).fill('Interrupted');
    await world.sql('DELETE FROM login_session');
    await page.driver.getByRole('button', { name: 'Create dataset' }).click();
    await page.see('text', /the upload in this tab continues afterwards/);
    const tab = page.driver.waitForEvent('popup');
    await page.driver.getByRole('button', { name: 'Sign in' }).click();
    const opened = await tab;
    if (!opened.isClosed()) await opened.waitForEvent('close');
    await page.see('text', 'Uploaded and indexed.');
    await page.see('text', '1 image');
  });

  describe('a user with a shared dataset', () =>
    viewerCases(() => ({ signingIn: world, browser, page, dataset: 'Interrupted' })));

  describe('two people', () => twoPeopleCases(() => ({ signingIn: world, browser, page })));

  it('signs out here and at the provider', async () => {
    await page.driver.getByRole('link', { name: 'Sign out' }).click();
    await page.driver.waitForURL((url) => url.origin === world.provider.issuer);
    expect((await page.driver.request.get(world.at('/api/v1/datasets'))).status()).toBe(401);
    // This provider has no favicon.
    page.forgive(404);
  });
});
