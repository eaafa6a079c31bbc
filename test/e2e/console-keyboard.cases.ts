import type { ConsolePage } from '../support/console-page';
import { waitUntil } from '../support/wait-until';

/** Using Explore without a mouse, as part of the console tests. */
export function keyboardCases(world: () => { readonly page: ConsolePage; readonly datasetId: string }): void {
  it('opens a cluster and goes back with the keyboard, keeping the focus on the pictures', async () => {
    const { page } = world();
    await page.visit(`/datasets/${world().datasetId}/explore?level=4`);
    await page.seeTiles();
    const focused = () => page.driver.evaluate('document.activeElement.dataset.index');
    // The first tab stop of the page, before the navigation.
    await page.driver.keyboard.press('Tab');
    await page.driver.keyboard.press('Tab');
    await page.driver.keyboard.press('Enter');
    expect(await focused()).toBe('0');
    await page.driver.keyboard.press('ArrowRight');
    expect(await page.driver.getByRole('gridcell', { name: /, such as / }).count()).toBeGreaterThan(1);
    // The picture has announced its name.
    const tools = await page.driver.locator('[role=gridcell]:focus button').all();
    const said = await Promise.all(tools.map((tool) => tool.getAttribute('aria-label')));
    expect(said).toEqual(['Select', 'Find similar']);
    // An outage meanwhile does not count.
    const members = /\/explore\/[^/]+\/clusters\//;
    await page.driver.route(members, (route) => route.fulfill({ status: 503, json: { detail: 'Busy.' } }));
    page.forgive(503);
    await page.driver.keyboard.press('Enter');
    await page.driver.waitForURL(/\/clusters\//);
    await page.see('heading', /^This is not available now/);
    await page.see('text', 'Busy.');
    expect(await page.driver.getByRole('main').innerText()).not.toMatch(/\b0 media/);
    await page.driver.unroute(members);
    await page.see('grid', 'Members of the cluster');
    await waitUntil(async () => (await focused()) === '0');
    expect(await page.driver.getByRole('link', { name: 'Explore' }).getAttribute('aria-current')).toBe('page');
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('button', { name: 'Back to the clusters' }).press('Enter');
    await page.driver.waitForURL(/\/explore/);
    await waitUntil(async () => (await focused()) === '1');
  });

  it('keeps the focus on the last picture, even if there are fewer than estimated', async () => {
    const { page } = world();
    const pages = /\/explore\/[^/]+\?/;
    await page.driver.route(pages, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), total_pages: 2 } });
    });
    await page.visit(`/datasets/${world().datasetId}/explore?level=0`);
    await page.seeTiles();
    await page.tiles.first().focus();
    await page.driver.keyboard.press('End');
    // The second page is empty.
    await waitUntil(async () => (await page.driver.evaluate('document.activeElement.dataset.index')) === '99');
    await page.driver.unrouteAll({ behavior: 'wait' });
  });

  it('lists its keys, and focuses the search by a key', async () => {
    const { page } = world();
    await page.driver.keyboard.press('?');
    const keys = page.driver.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const heading of ['Every page', 'Pictures', 'Duplicates', 'Map'])
      await keys.getByRole('heading', { name: heading }).waitFor();
    await keys.getByText('it stays too, or not').waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.driver.keyboard.press('/');
    const search = page.driver.getByRole('searchbox', { name: 'Search' });
    await page.driver.keyboard.press('?');
    await page.driver.keyboard.press('/');
    expect(await search.inputValue()).toBe('?/');
    await search.fill('');
  });

  it('ignores single-letter keys if they are disabled, also after a reload', async () => {
    const { page } = world();
    const { keyboard } = page.driver;
    const list = page.driver.getByRole('button', { name: 'Keyboard shortcuts' });
    const option = page.driver.getByRole('checkbox', { name: 'Keys of one letter' });
    const drawing = page.driver.getByRole('button', { name: 'Draw an area', pressed: true });
    await page.visit(`/datasets/${world().datasetId}/map`);
    await page.see('button', 'Draw an area');
    await keyboard.press('?');
    await option.uncheck();
    await keyboard.press('Escape');
    await page.driver.reload();
    await page.see('button', 'Draw an area');
    for (const key of ['?', '/', 'l']) await keyboard.press(key);
    // Other keys still work: the first tab stop skips the navigation.
    await keyboard.press('Tab');
    expect(await page.driver.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    expect([await drawing.count(), await page.driver.getByRole('dialog').count()]).toEqual([0, 0]);
    const search = page.driver.getByRole('searchbox', { name: 'Search' });
    await search.pressSequentially('l/?');
    expect(await search.inputValue()).toBe('l/?');
    await search.fill('');
    await list.click();
    await option.check();
    await keyboard.press('Escape');
    await keyboard.press('l');
    await drawing.waitFor();
    await keyboard.press('Escape');
  });

  it('can be used with the keyboard only', async () => {
    const { page } = world();
    await page.visit(`/datasets/${world().datasetId}/explore?level=0`);
    await page.seeTiles();
    await page.tiles.first().focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', ' ']) await page.driver.keyboard.press(key);
    await page.see('text', '1 medium of 1 cluster selected');
    await page.driver.keyboard.press('Shift+ArrowRight');
    await page.see('text', '2 media of 2 clusters selected');
    await page.driver.getByRole('button', { name: 'Clear the selection' }).press('Enter');
    await page.tiles.first().focus();
    await page.driver.keyboard.press('Enter');
    await page.see('dialog', 'Details');
    const first = page.driver.url();
    expect(first).toContain('media=');
    await page.driver.keyboard.press('ArrowRight');
    await page.driver.waitForURL((url) => url.href !== first);
    await page.see('text', 'Most similar');
    await page.see('button', /\d% alike/);
    // A key pressed before the next picture is visible has no effect.
    await waitUntil(async () => {
      for (const key of ['0', '+']) await page.driver.keyboard.press(key);
      return page.driver.getByText('140%').first().isVisible();
    });
    await page.driver.keyboard.press('0');
    await page.see('text', '100%');
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.keyboard.press('Escape');
    await page.driver.waitForURL((url) => !url.searchParams.has('media'));
  });
}
