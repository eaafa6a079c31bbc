import { join } from 'node:path';
import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';

const PICTURES = 4;
/** Above the mask. */
const BOX = { type: 'box', x: 10, y: 5, width: 20, height: 12, rotation: 30 };
/** Two columns of four pixels in the middle of four columns. */
const MASK = { type: 'mask', width: 4, height: 4, counts: '484' };

/** Annotations of sources on a picture, as part of the console tests. */
export function annotationsCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;

  const push = (source: string, annotations: readonly object[]) =>
    world().ask(`/dataset/${id}/annotations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ source, kind: 'truth', annotations }),
    });
  const outlines = () => page.driver.getByRole('img', { name: 'Annotations' }).locator('g > title');
  const listed = () => page.driver.getByRole('list', { name: 'Annotations' }).getByRole('button');

  beforeAll(async () => {
    ({ page } = world());
    const folder = world().folder('with-sources');
    for (let at = 0; at < PICTURES; at += 1) await writePicture(join(folder, `${at}.jpg`), 700 + at);
    id = await world().indexedDataset('Annotated', folder);
    await push('annotator-2', [
      { file_name: '0.jpg', label: 'boat', shape: BOX, attributes: { occluded: true, metres: 4 } },
      { file_name: '0.jpg', label: 'whole picture' },
    ]);
    await push('detector-a', [
      { file_name: '0.jpg', label: 'boat', confidence: 0.9, shape: { ...BOX, rotation: 0 } },
      { file_name: '0.jpg', label: 'buoy', confidence: 0.3, shape: { type: 'keypoints', points: [5, 5, 2, 9, 9, 1] } },
      { file_name: '0.jpg', label: 'sea', confidence: 0.6, shape: MASK },
    ]);
  });

  afterAll(async () => {
    // A page that shows it would request deleted pictures.
    await page.visit('/notifications');
    await world().ask(`/dataset/${id}`, { method: 'DELETE' });
  });

  it('are drawn on the picture, those of several sources at once', async () => {
    await page.visit(
      `/datasets/${id}/explore?vql=${encodeURIComponent('[{"files":{"op":"contains","value":"0.jpg"}}]')}`,
    );
    await page.tiles.first().click();
    await outlines().nth(3).waitFor({ state: 'attached' });
    expect((await outlines().allTextContents()).sort()).toEqual(['boat', 'boat 90%', 'buoy 30%', 'sea 60%']);
    await page.see('text', 'occluded');
    expect(await listed().count()).toBe(5);
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('have masks that are where they were said to be', async () => {
    // Of the columns of the mask: outside, inside, inside, outside.
    const alphas = await page.driver.locator('canvas').evaluate((element) => {
      const canvas = element as unknown as { width: number; height: number; getContext(kind: '2d'): Context };
      const pixel = (part: number) =>
        canvas.getContext('2d').getImageData(part * canvas.width, canvas.height / 2, 1, 1).data[3];
      return [0.125, 0.375, 0.625, 0.875].map(pixel);
    });
    expect(alphas).toEqual([0, 255, 255, 0]);
  });

  it('are highlighted from the list, also until the next press', async () => {
    const layer = page.driver.locator('[data-dimmed]');
    expect(await layer.getAttribute('data-dimmed')).toBe('false');
    await listed().filter({ hasText: 'sea' }).hover();
    await page.driver.locator('[data-dimmed=true] canvas[data-highlighted=true]').waitFor();
    await listed().filter({ hasText: 'buoy' }).click();
    await page.driver.getByRole('heading', { name: '0.jpg' }).hover();
    await page.driver.locator('[data-dimmed=true]').waitFor();
    await listed().filter({ hasText: 'buoy' }).click();
    await page.driver.getByRole('heading', { name: '0.jpg' }).click();
    await page.driver.locator('[data-dimmed=false]').waitFor();
  });

  it('are shown by source, and from a confidence on', async () => {
    await page.driver.getByRole('slider', { name: 'Confidence' }).fill('0.5');
    await page.see('text', 'from 50%');
    await outlines().filter({ hasText: 'buoy' }).waitFor({ state: 'detached' });
    expect((await outlines().allTextContents()).sort()).toEqual(['boat', 'boat 90%', 'sea 60%']);
    await page.driver.getByRole('switch', { name: 'Show detector-a' }).click();
    await outlines().filter({ hasText: 'sea' }).waitFor({ state: 'detached' });
    expect(await outlines().allTextContents()).toEqual(['boat']);
    await page.driver.getByRole('button', { name: 'Annotations', pressed: true }).click();
    await outlines().first().waitFor({ state: 'detached' });
  });

  it('are filters, with labels, confidence and how many', async () => {
    const filters = page.driver.getByRole('complementary', { name: 'Filters' });
    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.see('text', `${PICTURES} media match`);
    await filters.getByRole('checkbox', { name: 'detector-a' }).click();
    await page.see('text', 'detector-a: any label');
    await page.see('text', '1 media match');
    for (const label of ['boat', 'buoy', 'sea']) await filters.getByRole('checkbox', { name: label }).waitFor();
    await filters.getByRole('checkbox', { name: 'sea' }).click();
    await page.see('text', 'detector-a: sea');
    await filters.getByLabel('Labels of detector-a').fill('boat, buoy');
    await filters.getByLabel('Confidence of detector-a from').fill('20');
    await filters.getByLabel('At least so many of detector-a').fill('2');
    await page.driver.keyboard.press('Enter');
    await page.see('text', 'detector-a: boat or buoy, confidence from 20%, at least 2');
    await page.see('text', '1 media match');
    expect(await page.seriousFindings()).toEqual([]);
    await filters.getByLabel('Confidence of detector-a from').fill('50');
    await page.driver.keyboard.press('Enter');
    await page.see('heading', 'Nothing matches');
    await page.driver.getByRole('button', { name: /^Remove the filter detector-a/ }).click();
    await page.see('text', `${PICTURES} media match`);
  });

  it('are filters by attributes', async () => {
    const filters = page.driver.getByRole('complementary', { name: 'Filters' });
    await filters.getByRole('checkbox', { name: 'annotator-2' }).click();
    for (const [name, value] of [
      ['occluded', 'true'],
      ['metres', '3..10'],
    ]) {
      await filters.getByLabel('Attribute of annotator-2', { exact: true }).fill(name!);
      await filters.getByLabel('Value of the attribute of annotator-2').fill(value!);
      await page.driver.keyboard.press('Enter');
    }
    await page.see('text', 'annotator-2: any label, occluded: true, metres: 3..10');
    await page.see('text', '1 media match');
    expect(await page.seriousFindings()).toEqual([]);
    await filters.getByLabel('metres of annotator-2', { exact: true }).fill('5');
    await page.driver.keyboard.press('Enter');
    await page.see('heading', 'Nothing matches');
    await filters.getByRole('button', { name: 'Remove metres of annotator-2' }).click();
    await page.see('text', '1 media match');
    await page.driver.getByRole('button', { name: /^Remove the filter annotator-2/ }).click();
    await page.see('text', `${PICTURES} media match`);
  });

  it('become objects', async () => {
    const filters = page.driver.getByRole('complementary', { name: 'Filters' });
    await filters.getByRole('checkbox', { name: 'detector-a' }).click();
    await filters.getByRole('button', { name: 'Make objects of detector-a' }).click();
    await page.see('text', 'Objects of detector-a are being made.');
    await waitUntil(async () => (await world().ask<{ n_objects: number }>(`/dataset/${id}`)).n_objects === 3);
    await world().untilStatus(id, 'READY');
  });

  it('are drawn in the details of the objects that were made of them', async () => {
    for (const [label, title] of [
      ['boat', 'boat 90%'],
      ['buoy', 'buoy 30%'],
    ]) {
      const vql = JSON.stringify([{ labels: { op: 'one_of', value: [label] } }]);
      await page.visit(`/datasets/${id}/explore?type=OBJECTS&level=0&vql=${encodeURIComponent(vql)}`);
      await page.tiles.first().click();
      await outlines().first().waitFor({ state: 'attached' });
      expect(await outlines().allTextContents()).toEqual([title]);
    }
  });
}

interface Context {
  getImageData(x: number, y: number, width: number, height: number): { readonly data: readonly number[] };
}
