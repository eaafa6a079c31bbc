import { join } from 'node:path';
import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { writePicture } from '../support/pictures';

const NAME = 'Imported';
const BOXES = {
  images: [
    { id: 1, file_name: '0.jpg' },
    { id: 2, file_name: 'gone.jpg' },
  ],
  categories: [{ id: 3, name: 'boat' }],
  annotations: [
    { id: 11, image_id: 1, category_id: 3, bbox: [10, 20, 30, 40], score: 0.75 },
    { id: 12, image_id: 2, category_id: 3, bbox: [1, 2, 3, 4], score: 0.5 },
    { id: 13, image_id: 1, category_id: 3, bbox: [0, 0, 'x', 9] },
    { id: 14, image_id: 1, category_id: 3, segmentation: [[1, 2, 9, 2, 9, 6]] },
  ],
};

/** The dialog of annotation files, and that of exports, as part of the console tests. */
export function annotationFilesCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;

  const dialog = () => page.driver.getByRole('dialog');
  const confirm = () => dialog().getByRole('button', { name: 'Add annotations' });
  const choose = (name: string, content: string) =>
    dialog()
      .locator('input[type=file]')
      .setInputFiles([{ name, mimeType: 'application/json', buffer: Buffer.from(content) }]);
  const sources = async () => (await world().ask<{ sources: object[] }>(`/dataset/${id}/annotation_sources`)).sources;
  const open = async () => {
    await page.driver.getByRole('button', { name: `Actions for ${NAME}` }).click();
    await page.driver.getByRole('menuitem', { name: 'Add annotations' }).click();
    await page.see('dialog', `Add annotations to ${NAME}`);
  };

  beforeAll(async () => {
    ({ page } = world());
    const folder = world().folder('with-files');
    for (const at of [0, 1]) await writePicture(join(folder, `${at}.jpg`), 800 + at);
    id = await world().indexedDataset(NAME, folder);
    await page.visit(`/datasets/${id}/explore`);
  });

  afterAll(async () => {
    await page.visit('/notifications');
    await world().ask(`/dataset/${id}`, { method: 'DELETE' });
  });

  it('shows the first rows of a file, what matches nothing and what is left out', async () => {
    await open();
    expect(await confirm().isDisabled()).toBe(true);
    await choose('boats.json', JSON.stringify(BOXES));
    await page.see('text', 'COCO: 3 annotations of 2 pictures.');
    await page.see('text', '1 annotation is of pictures that the dataset does not have: gone.jpg.');
    await page.see('text', 'boats.json, entry 3 is left out: box: a coordinate is not a number of pixels.');
    const rows = dialog().getByRole('region', { name: 'The first 3 annotations' }).locator('tbody tr');
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/^0\.jpg\s+boat\s+box\s+75%\s+id 11$/),
      expect.stringMatching(/^gone\.jpg\s+not in the dataset\s+boat\s+box\s+50%\s+id 12$/),
      expect.stringMatching(/^0\.jpg\s+boat\s+polygon\s+id 14$/),
    ]);
    expect(await page.seriousFindings()).toEqual([]);
    expect(await sources()).toEqual([expect.objectContaining({ name: 'ground_truth', n_boxes: 0 })]);
  });

  it('imports them into a new source, by the keyboard alone', async () => {
    const name = dialog().getByLabel('Source', { exact: true });
    await dialog().getByLabel('Format', { exact: true }).focus();
    await page.driver.keyboard.press('Tab');
    await page.driver.keyboard.type('detector-b');
    expect(await name.inputValue()).toBe('detector-b');
    await page.driver.keyboard.press('Tab');
    await page.driver.keyboard.press('ArrowRight');
    expect(await dialog().getByLabel('What people say').isChecked()).toBe(true);
    await page.driver.keyboard.press('ArrowLeft');
    await name.focus();
    await page.driver.keyboard.press('Enter');
    await page.see('text', 'Done, but not all of it was used:');
    await page.see('text', '1 of 3 annotations match no medium of the dataset: gone.jpg.');
    await page.driver.getByRole('button', { name: 'Hide', exact: true }).click();
    expect(await sources()).toContainEqual(
      expect.objectContaining({ name: 'detector-b', kind: 'predictions', n_boxes: 1, n_polygons: 1 }),
    );
  });

  it('says what a source has already, and why a file cannot be read', async () => {
    await open();
    await dialog().getByLabel('Source', { exact: true }).fill('detector-b');
    await page.see('text', 'An existing source: Predictions, 2 annotations.');
    await dialog().getByText('Replace', { exact: true }).click();
    await page.see('text', '2 annotations of the source are replaced. Snapshots keep theirs.');
    await choose('boats.txt', 'nothing');
    await page.see('text', /^boats\.txt cannot be read: they are in none of the formats that can be read/);
    expect(await confirm().isDisabled()).toBe(true);
    page.forgive(400);
    await dialog().getByRole('button', { name: 'Remove boats.txt' }).click();
    await choose('boats.json', JSON.stringify({ ...BOXES, annotations: BOXES.annotations.slice(1, 2) }));
    await page.see('text', 'COCO: 1 annotation of 1 picture.');
    expect(await confirm().isDisabled()).toBe(true);
    await page.driver.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('says what a format of an export cannot hold', async () => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.tiles.first().focus();
    await page.driver.keyboard.press('Control+a');
    await page.driver.getByRole('button', { name: 'Export' }).click();
    await dialog().getByLabel('Annotations of').selectOption('detector-b');
    await page.see('text', 'The format holds all that the source has.');
    await dialog().getByLabel('Format', { exact: true }).selectOption('Pascal VOC');
    await page.see('text', 'polygons: 1, written as boxes');
    expect(await page.seriousFindings()).toEqual([]);
    await dialog().getByLabel('Format', { exact: true }).selectOption('Class folders');
    expect(await dialog().getByLabel('Include the images').isChecked()).toBe(true);
    await page.driver.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });
}
