import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';
import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { pictureBytes } from '../support/pictures';
import { waitUntil } from '../support/wait-until';

const MARKUP = '<img src=x onerror=alert(1)>';
/** Copies of four pictures, some with hostile names. */
const COPIES = [
  ['0.jpg', `${MARKUP}.jpg`],
  ['1.jpg', 'صورة\u202egpj.jpg', `${'ü'.repeat(125)}x.jpg`],
  ['2.jpg', '2 copy.jpg'],
  ['3.jpg', '3 copy.jpg'],
];
const GROUPS = COPIES.length;
/** Different drawings of wood that look alike. */
const DRAWINGS = 25;

/** Duplicates and quality, as part of the console tests. */
export function duplicatesCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;

  const openGroups = async (): Promise<number> =>
    (await world().ask<{ open_groups: number }>(`/dataset/${id}/duplicates?duplicate_threshold=1`)).open_groups;
  const taggedToRemove = async (): Promise<number> => {
    const { tags } = await world().ask<{ tags: { name: string; n_items: number }[] }>(`/dataset/${id}/tags`);
    return tags.find(({ name }) => name === 'to remove')?.n_items ?? 0;
  };
  const visitReview = async (): Promise<void> => {
    await page.visit(`/datasets/${id}/duplicates?similarity=1`);
    await page.see('article', /^Group 1/);
  };
  const fitsPhone = async (): Promise<void> => {
    await page.driver.setViewportSize({ width: 390, height: 844 });
    expect(await page.driver.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.setViewportSize({ width: 1280, height: 800 });
  };

  beforeAll(async () => {
    ({ page } = world());
    const folder = world().folder('copies');
    await mkdir(folder);
    for (const [seed, names] of COPIES.entries())
      for (const name of names) await writeFile(join(folder, name), await pictureBytes(seed));
    for (let seed = GROUPS; seed < 12; seed += 1)
      await writeFile(join(folder, `${seed}.jpg`), await pictureBytes(seed));
    await writeFile(
      join(folder, 'image_annotations.csv'),
      `filename,label\n${[4, 5, 6, 7].map((seed) => `${seed}.jpg,disc\n`).join('')}`,
    );
    id = await world().indexedDataset('Copies', folder);
  });

  it('shows groups, and the effect of the rule on all', async () => {
    await visitReview();
    await page.see('text', new RegExp(`^${GROUPS} groups with 9 media: 5 go`));
    await page.see('article', 'Group 1, 3 media');
    expect(await page.driver.getByRole('article').count()).toBe(GROUPS);
    expect(await page.seriousFindings()).toEqual([]);
    await fitsPhone();
  });

  it('can be used by keyboard, including undo', async () => {
    await visitReview();
    const { keyboard } = page.driver;
    await keyboard.press('j');
    const pressed = (name: string): Promise<number> =>
      page.driver.getByRole('article').first().getByRole('button', { name, pressed: true }).count();
    await keyboard.press('Shift+Digit1');
    expect(await pressed('Stays')).toBe(1);
    await keyboard.press('Shift+Digit3');
    expect(await pressed('Stays')).toBe(2);
    await keyboard.press('2');
    expect(await pressed('Stays')).toBe(1);
    await keyboard.press('Enter');
    await page.see('text', /1 stays, 2 go(?!es)/);
    await waitUntil(async () => (await openGroups()) === GROUPS - 1);
    expect(await taggedToRemove()).toBe(2);
    await keyboard.press('d');
    await page.see('text', 'Called different');
    await waitUntil(async () => (await openGroups()) === GROUPS - 2);
    await keyboard.press('u');
    await waitUntil(async () => (await openGroups()) === GROUPS - 1);
    await page.see('text', '1 decision is undone.');
  });

  it('compares two members, side by side and above each other', async () => {
    await visitReview();
    await page.driver.getByRole('button', { name: 'Compare' }).first().click();
    const dialog = page.driver.getByRole('dialog');
    await dialog.waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    for (const mode of ['Swipe', 'Fade', 'Difference']) {
      await dialog.getByRole('radio', { name: mode }).check({ force: true });
      expect(await dialog.getByRole('slider').count()).toBe(mode === 'Difference' ? 0 : 1);
    }
    await page.driver.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('accepts all groups, lists the decisions and files, and undoes them together', async () => {
    await visitReview();
    await page.driver.getByRole('button', { name: 'Accept all' }).click();
    const question = page.driver.getByRole('dialog');
    await question.getByText('3 media stay and 3 go').waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await question.getByRole('button', { name: 'Accept all' }).click();
    await page.see('heading', 'Everything is decided');
    expect(await taggedToRemove()).toBe(5);
    await page.driver.getByRole('button', { name: 'Show the decisions' }).click();
    await page.see('list', 'Decisions');
    expect(await page.driver.getByRole('list', { name: 'Decisions' }).getByRole('listitem').count()).toBe(GROUPS);
    expect(await page.seriousFindings()).toEqual([]);
    await fitsPhone();
    const address = await page.driver.getByRole('link', { name: 'Export list' }).getAttribute('href');
    const csv = await (await fetch(`${world().url}${address!}`)).text();
    expect(csv.trim().split('\n')).toHaveLength(6);
    await page.driver.getByRole('button', { name: 'Undo all of these' }).click();
    await waitUntil(async () => (await openGroups()) === GROUPS - 1);
  });

  it('lets viewers see and compare groups without deciding', async () => {
    await page.driver.route('**/api/v1/datasets', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll('"owner"', '"viewer"');
      await route.fulfill({ response, body: text });
    });
    await visitReview();
    const group = page.driver.getByRole('article', { name: /^Group 1/ });
    await group.getByRole('button', { name: /^Accept/ }).waitFor({ state: 'detached' });
    const names = await group.locator('header').getByRole('button').allInnerTexts();
    expect(names).toEqual(['Compare']);
    const open = await openGroups();
    await group.focus();
    await page.driver.keyboard.press('d');
    await page.driver.keyboard.press('c');
    await page.driver.getByRole('dialog').waitFor();
    expect(await page.driver.getByRole('dialog').getByRole('button', { name: /^Keep/ }).count()).toBe(0);
    await page.driver.keyboard.press('Escape');
    expect(await page.driver.getByRole('button', { name: 'Accept all' }).count()).toBe(0);
    expect(await openGroups()).toBe(open);
    await page.driver.unrouteAll();
  });

  it('counts issues at a threshold, and links to Explore', async () => {
    await page.visit(`/datasets/${id}/quality`);
    const card = page.driver.getByRole('article', { name: 'Copies' });
    await card.getByText('9 of 17').waitFor();
    const groups = (await card.getByText(/^3 groups with 6 media/).innerText()).replace(' to review', '');
    expect(await page.seriousFindings()).toEqual([]);
    await fitsPhone();
    const unusual = page.driver.getByRole('article', { name: 'Unusual' });
    await unusual.getByRole('slider').focus();
    await page.driver.keyboard.press('Home');
    await unusual.getByRole('button', { name: /usual threshold/ }).waitFor();
    await card.getByRole('link', { name: 'Open in Explore' }).click();
    await page.see('text', '9 media match');
    await page.seeTiles();
    await page.tiles.first().click({ modifiers: ['Control'] });
    await page.see('text', '3 media of 1 cluster selected');
    await page.driver.goBack();
    await card.getByRole('link', { name: 'Review duplicates' }).click();
    await page.see('text', new RegExp(`^${groups}: `));
  });

  it('shows a group of different drawings last, and accepts it with the others only if selected', async () => {
    const folder = world().folder('drawings');
    await mkdir(folder);
    const wood = SAMPLE_FAMILIES.find(({ name }) => name === 'wood')!;
    for (let at = 0; at < DRAWINGS; at += 1) {
      const drawing = await renderPicture(wood.draw(new SeededRandom(`1 wood ${at}`)), 'none', '.jpg', `${at}`);
      await writeFile(join(folder, `wood ${at}.jpg`), drawing);
    }
    for (const name of ['0.jpg', 'copy.jpg']) await writeFile(join(folder, name), await pictureBytes(0));
    const drawings = await world().indexedDataset('Drawings', folder);
    await page.visit(`/datasets/${drawings}/duplicates?similarity=0.8`);
    await page.see('article', 'Group 1, 2 media');
    const doubtful = page.driver.getByRole('article', { name: `Group 2, ${DRAWINGS} media` });
    await doubtful.getByText('Many pictures', { exact: true }).waitFor();
    await page.see('text', /^2 groups with 27 media: 1 goes, /);
    await page.see('text', /^1 group may have different pictures/);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('button', { name: 'Accept all' }).click();
    const question = page.driver.getByRole('dialog');
    await question.getByRole('heading', { name: 'Accept all 1 group?' }).waitFor();
    await question.getByRole('checkbox', { name: /^Also the group/ }).check();
    await question.getByRole('heading', { name: 'Accept all 2 groups?' }).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await question.getByRole('checkbox', { name: /^Also the group/ }).uncheck();
    await question.getByRole('button', { name: 'Accept all' }).click();
    await page.see('article', `Group 1, ${DRAWINGS} media`);
  });
}
