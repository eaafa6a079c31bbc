import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ConsoleWorld } from '../support/console-world';
import { writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';

const MARKUP = '<img src=x onerror=alert(1)>';
const HOSTILE = `it's ${MARKUP}.jpg`;
const PICTURES = 8;
/** Includes a black picture. Two pictures are copies, so they are one tile, the first. */
const IMAGES = PICTURES + 2;

interface Listed {
  readonly id: string;
  readonly display_name: string;
  readonly status_new: string;
  readonly n_images: number;
}

/** Creating datasets from some media, and removing media, as part of the console tests. */
export function subsetsCases(world: () => ConsoleWorld): void {
  let id: string;

  const driver = () => world().page.driver;
  const inDialog = (of: string) => driver().getByRole('dialog').getByRole('button', { name: of, exact: true });
  const datasets = (): Promise<Listed[]> => world().ask('/datasets');
  const made = async (name: string): Promise<Listed> => {
    let found: Listed | undefined;
    await waitUntil(async () => {
      found = (await datasets()).find((each) => each.display_name === name && each.status_new === 'READY');
      return found !== undefined;
    });
    return found!;
  };
  const select = async (count: number): Promise<void> => {
    const { page } = world();
    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.seeTiles();
    for (let at = 0; at < count; at += 1) await page.tiles.nth(at).click({ modifiers: ['Control'] });
  };
  const bar = (of: string) =>
    driver().getByRole('region', { name: 'Selection' }).getByRole('button', { name: of, exact: true });

  beforeAll(async () => {
    const folder = world().folder('subsets');
    await mkdir(folder);
    for (let at = 0; at < PICTURES; at += 1) await writePicture(join(folder, `${at}.jpg`), 120 + at);
    await copyFile(join(folder, '0.jpg'), join(folder, HOSTILE));
    const black = sharp({ create: { width: 160, height: 120, channels: 3, background: 'black' } });
    await writeFile(join(folder, 'black.jpg'), await black.jpeg().toBuffer());
    id = await world().indexedDataset('Parts', folder);
  });

  afterAll(async () => {
    for (const each of await datasets())
      if (each.id === id || each.display_name.includes('Parts'))
        await world().ask(`/dataset/${each.id}`, { method: 'DELETE' });
  });

  it('creates a dataset from the selected media', async () => {
    const { page } = world();
    await select(2);
    await bar('New dataset').click();
    await page.see('dialog', 'New dataset of the selection');
    const name = driver().getByLabel('Name', { exact: true });
    expect(await name.inputValue()).toBe('Parts (selection)');
    await name.fill(`Parts ${MARKUP}`);
    expect(await page.seriousFindings()).toEqual([]);
    await inDialog('Make the dataset').click();
    await page.see('text', `Parts ${MARKUP} is being made.`);
    expect(await made(`Parts ${MARKUP}`)).toMatchObject({ n_images: 3 });
    await world().untilStatus(id, 'READY');
  });

  it('creates a dataset without dark pictures', async () => {
    const { page } = world();
    await page.visit(`/datasets/${id}/quality`);
    const card = driver().getByRole('article', { name: 'Too dark' });
    await card.getByRole('button', { name: 'New dataset without these' }).click();
    await page.see('dialog', 'New dataset without these media');
    expect(await page.seriousFindings()).toEqual([]);
    await inDialog('Make the dataset').click();
    expect(await made('Parts (cleaned)')).toMatchObject({ n_images: IMAGES - 1 });
    await world().untilStatus(id, 'READY');
  });

  it('creates a dataset without decided copies, and a script that deletes their files', async () => {
    const { page } = world();
    const body = JSON.stringify({ duplicate_threshold: 1, rule: 'largest' });
    const headers = { 'content-type': 'application/json' };
    await world().ask(`/dataset/${id}/duplicates/decisions/by_rule`, { method: 'POST', body, headers });
    await page.visit(`/datasets/${id}/duplicates?tab=decided`);
    await driver().getByRole('button', { name: 'Script that deletes the files' }).click();
    await page.see('dialog', 'Delete the files of the list');
    const script = driver().getByLabel('Script', { exact: true });
    expect(await script.inputValue()).toMatch(/^#!\/bin\/sh\n[^]*^delete_file '/m);
    expect(await page.seriousFindings()).toEqual([]);
    await driver().context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await inDialog('Copy').click();
    await page.see('text', 'The script is copied.');
    expect(await driver().evaluate('navigator.clipboard.readText()')).toBe(await script.inputValue());
    await driver().keyboard.press('Escape');
    await driver().getByRole('button', { name: 'Make a cleaned dataset' }).click();
    await driver().getByLabel('Name', { exact: true }).fill('Parts without copies');
    await inDialog('Make the dataset').click();
    expect(await made('Parts without copies')).toMatchObject({ n_images: IMAGES - 1 });
    await world().untilStatus(id, 'READY');
  });

  it('removes the selected media from the dataset, and restores them from the snapshot', async () => {
    const { page } = world();
    await select(3);
    await bar('Remove').click();
    await page.see('alertdialog', 'Remove the selection from the dataset?');
    expect(await page.seriousFindings()).toEqual([]);
    await driver().getByRole('alertdialog').getByRole('button', { name: 'Remove from dataset' }).click();
    await page.see('text', 'The media are being removed.');
    await driver().getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' });
    await waitUntil(async () => (await made('Parts')).n_images === IMAGES - 4);
    await waitUntil(async () => (await page.tiles.count()) === IMAGES - 4);
    await page.visit(`/datasets/${id}/tasks`);
    await page.see('text', 'Remove media');
    await page.visit(`/datasets/${id}/history`);
    await page.see('text', 'Made before media were removed');
    expect(await page.seriousFindings()).toEqual([]);
  });
}
