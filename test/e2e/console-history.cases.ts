import { copyFile, mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ConsolePage } from '../support/console-page';
import { form, type ConsoleWorld } from '../support/console-world';
import { writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';

const MARKUP = '<img src=x onerror=alert(1)>';
/** Right-to-left text with markup, longer than a line. */
const VIEW = `${MARKUP} شجرة ${'long '.repeat(40)}`.trim();
const SNAPSHOT = `${MARKUP} قبل`;
const [BEFORE, ADDED] = [4, 3];
const MANY = 40;

/** Snapshots, views, notifications and tasks, as part of the console tests. */
export function historyCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;

  const button = (name: string | RegExp) => page.driver.getByRole('button', { name });

  beforeAll(async () => {
    ({ page } = world());
    for (let at = 0; at < BEFORE; at += 1) await writePicture(world().folder(`first/${at}.jpg`), at);
    for (let at = 0; at < ADDED; at += 1) await writePicture(world().folder(`more/new ${at}.jpg`), 20 + at);
    await writePicture(join(world().share, 'pictures', '0.jpg'), 40);
    id = await world().indexedDataset('Harbour', world().folder('first'));
    await world().ask(`/dataset/${id}/views?entity_type=IMAGES`, form({ name: VIEW }));
  });

  it('takes a snapshot', async () => {
    await page.visit(`/datasets/${id}/history`);
    await button('Take a snapshot').click();
    await page.driver.getByLabel('Name').fill(SNAPSHOT);
    await button('Take the snapshot').click();
    await page.see('heading', SNAPSHOT);
    await page.see('heading', 'Created');
    await page.see('text', 'The current state began here');
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('counts notifications in every tab as they arrive, using one stream', async () => {
    const streams: string[] = [];
    page.driver.context().on('request', (request) => {
      if (request.url().includes('/notifications/stream')) streams.push(request.url());
    });
    await page.visit(`/datasets/${id}/views`);
    await page.see('text', 'No matches yet');
    const other = await page.driver.context().newPage();
    await other.goto(`${world().url}/datasets`);
    await other.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await world().ask(`/dataset/${id}/add_media`, form({ s3_uri: world().folder('more') }));
    await Promise.all([
      other.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor(),
      page.see('button', 'Notifications, 1 unread'),
    ]);
    await page.see('text', `${ADDED} matches`);
    expect(await page.seriousFindings()).toEqual([]);
    await button('Notifications, 1 unread').click();
    await page.see('text', `${ADDED} new matches in Harbour`);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('link', { name: VIEW }).last().click();
    await page.driver.waitForURL(/\/views\/[\w-]+\/batches\//);
    await waitUntil(async () => (await page.tiles.count()) === ADDED);
    await button('Show on tiles').click();
    await page.driver.getByRole('dialog', { name: 'Show on tiles' }).getByLabel('File name').check();
    await page.driver.keyboard.press('Escape');
    await page.tiles
      .first()
      .getByText(/^new \d\.jpg$/)
      .waitFor();
    const size = page.driver.getByRole('slider', { name: 'Size of the tiles' });
    await size.fill('5');
    await waitUntil(async () => (await page.tiles.first().boundingBox())!.width >= 320);
    expect(await page.seriousFindings()).toEqual([]);
    await size.fill('2');
    // Opening it marks it as read, also in the other tab.
    await other.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await other.close();
    expect(streams).toHaveLength(1);
  });

  it('shows the trend of a view, and opens its filters in Explore', async () => {
    await button('Back to the view').click();
    await page.see('heading', VIEW);
    const trend = page.driver.getByRole('table', { name: /^Matches of/ });
    await trend.getByRole('cell').first().waitFor();
    expect(await trend.getByRole('cell').allTextContents()).toEqual([`${ADDED} matches`]);
    await page.driver.getByRole('switch').click();
    await page.see('text', /counted, but not notified of/);
    expect(await page.seriousFindings()).toEqual([]);
    await button('Open in Explore').click();
    await page.driver.waitForURL(/\/explore\?level=0/);
    await waitUntil(async () => (await page.tiles.count()) === BEFORE + ADDED);
  });

  it('lists notifications', async () => {
    await page.visit('/notifications');
    await page.see('link', VIEW);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('radiogroup', { name: 'Show' }).getByText('Unread').click();
    await page.see('heading', 'Everything is read');
  });

  it('shows media added since a snapshot', async () => {
    await page.visit(`/datasets/${id}/history`);
    await page.see('text', /A snapshot can be taken after a reindex/);
    expect(await button('Take a snapshot').isDisabled()).toBe(true);
    const asked: string[] = [];
    const note = (request: { url: () => string }) => {
      if (/\/dataset\/[\w-]+\/media\b/.test(request.url())) asked.push(request.url());
    };
    page.driver.on('request', note);
    await page.driver.getByRole('link', { name: `Changes since ${SNAPSHOT}` }).click();
    await page.see('text', `${ADDED} differences`);
    await page.driver.getByRole('img', { name: 'new 0.jpg' }).waitFor();
    await waitUntil(async () => (await page.tiles.count()) === ADDED);
    page.driver.off('request', note);
    expect(asked).toEqual([expect.stringMatching(/\/media\?media_ids=/)]);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByText('Removed 0').click();
    await page.see('heading', 'Nothing was removed');
  });

  it('explains the effect of a restore, and restores', async () => {
    await page.visit(`/datasets/${id}/history`);
    await button('Reindex').click();
    await page.see('text', 'The clusters are being rebuilt.');
    await waitUntil(async () => !(await button('Take a snapshot').isDisabled()));
    await button(`Restore ${SNAPSHOT}`).click();
    await page.see('text', `${ADDED} media added since disappear from view.`);
    expect(await page.driver.getByLabel('Take a snapshot of the current state first').isChecked()).toBe(true);
    expect(await page.seriousFindings()).toEqual([]);
    await button(/^Restore$/).click();
    await page.see('heading', `Before restoring ${SNAPSHOT}`);
    await waitUntil(async () => (await world().ask<{ n_images: number }>(`/dataset/${id}`)).n_images === BEFORE);
    await world().untilStatus(id, 'READY');
    await page.driver.getByRole('link', { name: `Changes since Before restoring ${SNAPSHOT}` }).click();
    await page.driver.getByText(`Removed ${ADDED}`).click();
    // Media that no longer exist are shown from the snapshot.
    await page.driver.getByRole('img', { name: 'new 2.jpg' }).waitFor();
  });

  it('clones, renames and deletes a snapshot', async () => {
    await page.visit(`/datasets/${id}/history`);
    const choose = async (entry: string): Promise<void> => {
      await button(`Actions for Before restoring ${SNAPSHOT}`).click();
      await page.driver.getByRole('menuitem', { name: entry }).click();
    };
    await choose('Clone');
    await button(/^Clone$/).click();
    await page.see('text', 'Harbour (cloned) is being made.');
    await waitUntil(async () => (await world().statuses())['Harbour (cloned)'] === 'READY');
    await page.driver.getByText('Harbour (cloned) is being made.').waitFor({ state: 'detached' });
    await choose('Rename or describe');
    await page.driver.getByLabel('Description').fill(MARKUP);
    await button('Save').click();
    await page.see('text', MARKUP);
    const other = await page.driver.context().newPage();
    await other.goto(page.driver.url());
    await other.getByRole('button', { name: `Actions for Before restoring ${SNAPSHOT}` }).click();
    await choose('Delete');
    await button('Delete the snapshot').click();
    await page.see('text', /is deleted/);
    const isGone = async (tab: Page): Promise<boolean> =>
      (await tab.getByRole('heading', { name: /^Before restoring/ }).count()) === 0;
    await waitUntil(() => isGone(page.driver));
    // Another tab that still shows the snapshot reports the error and removes it.
    await other.getByRole('menuitem', { name: 'Delete' }).click();
    await other.getByRole('button', { name: 'Delete the snapshot' }).click();
    await other
      .getByText(/not found/i)
      .first()
      .waitFor();
    await other.keyboard.press('Escape');
    await waitUntil(() => isGone(other));
    await other.close();
  });

  it('shows what a task waits for, aborts it, and retries it', async () => {
    const pictures = join(world().share, 'pictures');
    // More files than are read before the folder becomes unavailable.
    for (let at = 1; at < MANY; at += 1) await copyFile(join(pictures, '0.jpg'), join(pictures, `${at}.jpg`));
    const waiting = await world().createDataset('Waiting', pictures);
    const { share } = world();
    await rename(share, `${share}-away`);
    await mkdir(share);
    await page.visit(`/tasks?dataset=${waiting}`);
    await page.see('text', /^Waiting for the media folder .* since/);
    await button('Abort: Create dataset').click();
    await page.see('alertdialog', 'Abort “Create dataset”?');
    expect(await page.seriousFindings()).toEqual([]);
    await button('Abort the task').click();
    await rmdir(share);
    await rename(`${share}-away`, share);
    await button('Retry: Create dataset').click();
    await button('Retry the task').click();
    await world().untilStatus(waiting, 'READY');
    await page.see('text', 'Done');
  });

  it('filters tasks of one dataset and of all', async () => {
    await page.visit(`/datasets/${id}/tasks`);
    await page.see('text', 'Restore snapshot');
    await page.driver.getByRole('combobox', { name: 'Type' }).selectOption('REINDEX');
    await page.driver.waitForURL(/type=REINDEX/);
    await waitUntil(async () => (await page.driver.getByRole('main').getByRole('listitem').count()) === 1);
    await page.driver.getByRole('combobox', { name: 'Status' }).selectOption('FAILED');
    await page.see('heading', 'No task matches');
    await button('Clear filters').click();
    await page.see('text', 'Create dataset');
  });

  it('fits on a phone', async () => {
    await page.driver.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/tasks', '/notifications', `/datasets/${id}/history`, `/datasets/${id}/views`]) {
      await page.visit(path);
      await page.driver.getByRole('main').getByRole('listitem').first().waitFor();
      expect(await page.driver.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    }
    await page.driver.setViewportSize({ width: 1280, height: 800 });
  });

  it('explains why there are no snapshots', async () => {
    const enable = (value: boolean): Promise<unknown> =>
      world().ask('/admin/settings', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key: 'DATASET_SNAPSHOTS_ENABLED', value }),
      });
    await enable(false);
    await page.visit(`/datasets/${id}/history`);
    await page.see('heading', 'Snapshots are turned off');
    page.forgive(403);
    await enable(true);
  });
}
