import { join } from 'node:path';
import type { ConsoleWorld } from '../support/console-world';
import { writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';

const MARKUP = '<img src=x onerror=alert(1)>';
const PICTURES = 8;

/** Editing names, as part of the console tests. */
export function editingCases(world: () => ConsoleWorld): void {
  let id: string;
  let name = 'Edited';

  const driver = () => world().page.driver;
  const button = (of: string | RegExp) => driver().getByRole('button', { name: of, exact: true });
  const inDialog = (of: string) => driver().getByRole('dialog').getByRole('button', { name: of, exact: true });
  const openMenu = async (entry: string): Promise<void> => {
    await button(`Actions for ${name}`).click();
    await driver().getByRole('menuitem', { name: entry, exact: true }).click();
  };
  const select = async (count: number): Promise<void> => {
    const { page } = world();
    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.seeTiles();
    for (let at = 0; at < count; at += 1) await page.tiles.nth(at).click({ modifiers: ['Control'] });
  };
  const tags = async (): Promise<Record<string, number>> => {
    const { tags: all } = await world().ask<{ tags: { name: string; n_items: number }[] }>(`/dataset/${id}/tags`);
    return Object.fromEntries(all.map((tag) => [tag.name, tag.n_items]));
  };

  beforeAll(async () => {
    const folder = world().folder('edited');
    for (let at = 0; at < PICTURES; at += 1) await writePicture(join(folder, `${at}.jpg`), 90 + at);
    id = await world().indexedDataset(name, folder);
  });

  afterAll(async () => {
    await world().ask(`/dataset/${id}`, { method: 'DELETE' });
  });

  it('removes a tag from the selected media', async () => {
    const { page } = world();
    await select(3);
    await button('Tag').click();
    // Actions are below the text above them, without overlap.
    const above = driver().getByRole('dialog').getByText('An existing tag, or a new one', { exact: false });
    const [hint, action] = [(await above.boundingBox())!, (await inDialog('Assign').boundingBox())!];
    expect(action.y - hint.y - hint.height).toBeGreaterThan(8);
    await driver().getByLabel('Tag', { exact: true }).fill(MARKUP);
    expect(await inDialog('Take off').isDisabled()).toBe(true);
    await inDialog('Assign').click();
    await page.see('text', `3 media of 3 clusters have the tag ${MARKUP} now.`);
    await select(1);
    await button('Tag').click();
    await inDialog(MARKUP).click();
    expect(await page.seriousFindings()).toEqual([]);
    await inDialog('Take off').click();
    await page.see('text', `1 medium of 1 cluster does not have the tag ${MARKUP} any more.`);
    expect(await tags()).toEqual({ [MARKUP]: 2 });
  });

  it('renames and deletes tags', async () => {
    const { page } = world();
    await openMenu('Tags');
    await page.see('dialog', `Tags of ${name}`);
    expect(await page.seriousFindings()).toEqual([]);
    await inDialog(`Rename ${MARKUP}`).click();
    await driver().getByLabel('Name', { exact: true }).fill('Sharp');
    await inDialog('Rename').click();
    await page.see('text', `The tag ${MARKUP} is called Sharp now.`);
    expect(await tags()).toEqual({ Sharp: 2 });
    await inDialog('Delete Sharp').click();
    await page.see('text', /^2 media lose it\./);
    expect(await page.seriousFindings()).toEqual([]);
    await driver().getByRole('alertdialog').getByRole('button', { name: 'Delete tag' }).click();
    await page.see('text', /^There are no tags yet\./);
    expect(await tags()).toEqual({});
    await driver().keyboard.press('Escape');
  });

  it('changes the name and the description of the dataset', async () => {
    const { page } = world();
    await openMenu('Rename');
    const before = name;
    name = `Edited ${MARKUP}`;
    await page.see('dialog', `Rename ${before}`);
    await driver().getByLabel('Name', { exact: true }).fill(name);
    await driver().getByLabel('Description').fill('Checked by Ana');
    expect(await page.seriousFindings()).toEqual([]);
    await inDialog('Save').click();
    await page.see('heading', name);
    await waitUntil(async () => (await world().statuses())[name] === 'READY');
    await page.visit('/datasets');
    await page.see('text', 'Checked by Ana');
  });
}
