import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { writePicture } from '../support/pictures';

/** Environment variables of the program. */
export const ADMINISTRATION = { ENRICHMENT_PREVIEW_SERVICE_ENABLED: 'true', WEBHOOK_HOSTS: 'hooks.example' };

/** Models, webhooks and administration, as part of the tests of the console. */
export function administrationCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;

  beforeAll(async () => {
    ({ page } = world());
    for (let at = 0; at < 4; at += 1) await writePicture(world().folder(`administered/${at}.jpg`), at);
    id = await world().indexedDataset('Administered', world().folder('administered'));
  });

  it('previews models on a few pictures, and applies them to a copy', async () => {
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
    await world().untilStatus(copy, 'READY');
    await page.visit(`/datasets/${copy}/enrich`);
    await page.see('text', 'Applied');
  });

  it('creates a webhook, shows its secret once, and deletes it', async () => {
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
    const { webhooks } = await world().ask<{ webhooks: { events: string[] }[] }>(`/dataset/${id}/webhooks`);
    expect(webhooks.map(({ events }) => events)).toEqual([
      ['view.matched', 'task.completed', 'task.failed', 'annotations.changed', 'queue.finished', 'item.rejected'],
    ]);
    await page.driver.getByRole('button', { name: /^Actions for https/ }).click();
    await page.driver.getByRole('menuitem', { name: 'Deliveries' }).click();
    await page.see('text', 'Nothing has been sent yet.');
    await page.driver.keyboard.press('Escape');
    await page.driver.getByRole('button', { name: /^Actions for https/ }).click();
    await page.driver.getByRole('menuitem', { name: 'Delete' }).click();
    await page.driver.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.see('heading', 'No webhooks');
  });

  it('changes and resets a setting, and shows both in the audit log', async () => {
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
    await page.driver.getByLabel('Action', { exact: true }).selectOption({ label: 'Setting changed' });
    await page.driver.getByRole('cell', { name: 'ADD_MEDIA_ENABLED' }).nth(1).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('explains that users and API keys are not needed without sign-in', async () => {
    await page.visit('/admin/users');
    await page.see('heading', 'Users are not managed here');
    page.forgive(403);
    await page.visit('/api-keys');
    await page.see('heading', 'No API keys are needed');
    page.forgive(404);
  });
}
