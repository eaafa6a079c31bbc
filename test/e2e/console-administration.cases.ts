import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../support/browser-person';
import { ConsolePage } from '../support/console-page';
import { writePicture } from '../support/pictures';
import { startTestApp, type TestApp } from '../support/test-app';
import { waitUntil } from '../support/wait-until';

const hasBrowser = existsSync(process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium');
/** Only where there is a browser; `console.spec.ts` says so. */
const describeInBrowser = hasBrowser ? describe : describe.skip;

describeInBrowser('models, webhooks and administration in the console', () => {
  let service: TestApp;
  let browser: Browser;
  let page: ConsolePage;
  let id: string;

  const api = async <Body>(path: string): Promise<Body> =>
    (await (await fetch(`${service.url}/api/v1${path}`)).json()) as Body;
  const status = async (dataset: string): Promise<string> =>
    (await api<{ status_new: string }>(`/dataset/${dataset}`)).status_new;

  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startTestApp({ ENRICHMENT_PREVIEW_SERVICE_ENABLED: 'true', WEBHOOK_HOSTS: 'hooks.example' }),
      startBrowser(),
    ]);
    const folder = join(service.folder, 'pictures');
    await mkdir(folder);
    for (let at = 0; at < 4; at += 1) await writePicture(join(folder, `${at}.jpg`), at);
    const form = new FormData();
    form.set('dataset_name', 'Harbour');
    form.set('bucket_path', folder);
    const created = await fetch(`${service.url}/api/v1/dataset`, { method: 'POST', body: form });
    id = ((await created.json()) as { dataset_id: string }).dataset_id;
    await waitUntil(async () => (await status(id)) === 'READY');
    page = await ConsolePage.open(browser, service.url);
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  afterEach(() => {
    expect(page.takeErrors()).toEqual([]);
  });

  it('tries models on a few pictures, and applies them to a copy', async () => {
    await page.visit(`/datasets/${id}/enrich`);
    const labels = page.driver.getByRole('radiogroup', { name: 'Labels', exact: true });
    await labels.getByRole('radio', { name: /Drawn world/ }).check();
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('button', { name: 'Try on a few pictures' }).click();
    const found = page.driver.getByRole('dialog', { name: 'What the models find' });
    await found.getByText('0.jpg').waitFor();
    await page.driver.keyboard.press('Escape');
    await page.driver.getByRole('button', { name: 'Apply 1 model' }).click();
    await page.driver.getByRole('link', { name: 'Open the copy' }).first().click();
    await page.driver.waitForURL(({ pathname }) => !pathname.includes(id));
    const copy = new URL(page.driver.url()).pathname.split('/')[2]!;
    await waitUntil(async () => (await status(copy)) === 'READY');
    await page.visit(`/datasets/${copy}/enrich`);
    await page.see('text', 'Applied');
  });

  it('creates a webhook, whose secret is shown once, and deletes it', async () => {
    await page.visit(`/datasets/${id}/webhooks`);
    await page.driver.getByRole('button', { name: 'New webhook' }).click();
    await page.driver.getByLabel('Address').fill('https://elsewhere.example/');
    await page.driver.getByRole('button', { name: 'Create webhook' }).click();
    await page.see('alert');
    page.forgive(422);
    page.forgive(400);
    await page.driver.getByLabel('Address').fill('https://hooks.example/batch');
    await page.driver.getByLabel('A snapshot was taken').uncheck();
    await page.driver.getByRole('button', { name: 'Create webhook' }).click();
    await page.see('alertdialog', 'The webhook is created');
    await page.driver.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.seriousFindings()).toEqual([]);
    const { webhooks } = await api<{ webhooks: { events: string[] }[] }>(`/dataset/${id}/webhooks`);
    expect(webhooks.map(({ events }) => events)).toEqual([['view.matched', 'task.completed', 'task.failed']]);
    await page.driver.getByRole('button', { name: /^Actions for https/ }).click();
    await page.driver.getByRole('menuitem', { name: 'Deliveries' }).click();
    await page.see('text', 'Nothing has been sent yet.');
    await page.driver.keyboard.press('Escape');
    await page.driver.getByRole('button', { name: /^Actions for https/ }).click();
    await page.driver.getByRole('menuitem', { name: 'Delete' }).click();
    await page.driver.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.see('heading', 'No webhooks');
  });

  it('changes a setting and resets it, and tells both in the audit log', async () => {
    await page.visit('/admin');
    await page.see('link', 'Members');
    await page.see('cell', 'admin@localhost');
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('link', { name: 'Settings' }).click();
    await page.driver.getByRole('switch', { name: 'ADD_MEDIA_ENABLED' }).press(' ');
    await page.see('text', 'Default: true');
    await page.driver.getByLabel('RATE_LIMIT_LOGIN').fill('-5');
    await page.driver.getByRole('button', { name: 'Save' }).click();
    await page.see('text', /RATE_LIMIT_LOGIN.*(must|least|whole|between)/i);
    page.forgive(400);
    page.forgive(422);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('button', { name: 'Reset' }).click();
    await page.driver.getByText('Default: true').waitFor({ state: 'detached' });
    await page.driver.getByRole('link', { name: 'Audit log' }).click();
    await page.driver.getByLabel('Action').selectOption({ label: 'Setting changed' });
    await page.driver.getByRole('cell', { name: 'ADD_MEDIA_ENABLED' }).nth(1).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('says where users and API keys are not needed', async () => {
    await page.visit('/admin/users');
    await page.see('heading', 'Users are not managed here');
    page.forgive(403);
    await page.visit('/api-keys');
    await page.see('heading', 'No API keys are needed');
    page.forgive(404);
  });
});
