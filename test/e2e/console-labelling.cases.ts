import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { writePicture } from '../support/pictures';
import type { ListedAnnotation } from '../support/source-client';

const PICTURES = 3;
/** One cluster, with more media than its tile shows. */
const COPIES = 12;
const MARKUP = '<img src=x onerror=alert(1)>';

/** Labels of a selection, as part of the console tests. */
export function labellingCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;

  const driver = () => page.driver;
  const dialog = () => driver().getByRole('dialog', { name: 'Labels of the selection' });
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await driver().keyboard.press(key);
  };
  const send = (method: string, path: string, body: object) =>
    world().ask<object>(`/dataset/${id}/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const listed = async (): Promise<readonly ListedAnnotation[]> => {
    const path = `/dataset/${id}/annotations?source=ground_truth&limit=1000`;
    return (await world().ask<{ annotations: ListedAnnotation[] }>(path)).annotations;
  };
  /** Labels of whole pictures, and how many have them. */
  const labels = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { label, shape } of await listed()) if (shape === null) counts[label] = (counts[label] ?? 0) + 1;
    return counts;
  };
  const selectAll = async (): Promise<void> => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.seeTiles();
    await page.tiles.first().focus();
    await press('Control+a');
    await page.see('text', `${PICTURES + COPIES} media of ${PICTURES + 1} clusters selected`);
  };
  const undo = () => driver().getByRole('button', { name: 'Undo', exact: true });
  /** Opens the dialog by its key, with the caret in its field. */
  const open = async (): Promise<void> => {
    await dialog().waitFor({ state: 'detached' });
    await press('l');
    await dialog().locator('input:focus').waitFor();
  };

  beforeAll(async () => {
    ({ page } = world());
    const folder = world().folder('labelled');
    await mkdir(folder, { recursive: true });
    for (let at = 0; at < PICTURES; at += 1) await writePicture(join(folder, `${at}.jpg`), 190 + at);
    await writePicture(join(folder, 'copy-0.jpg'), 210);
    for (let at = 1; at < COPIES; at += 1) await copyFile(join(folder, 'copy-0.jpg'), join(folder, `copy-${at}.jpg`));
    id = await world().indexedDataset('Labelled', folder);
  });

  it('are added to all media of the selected clusters by keyboard, and undone', async () => {
    await selectAll();
    await open();
    await dialog()
      .getByText(`${PICTURES + COPIES} media of ${PICTURES + 1} clusters`)
      .waitFor();
    expect(await dialog().getByLabel('Label', { exact: true }).inputValue()).toBe('');
    expect(await page.seriousFindings()).toEqual([]);
    await driver().keyboard.type(MARKUP);
    await press('Enter');
    await page.see('text', `The label ${MARKUP} was added to ${PICTURES + COPIES} pictures.`);
    expect(await labels()).toEqual({ [MARKUP]: PICTURES + COPIES });
    expect(await page.seriousFindings()).toEqual([]);
    // The notice neither covers the bar, nor is out of reach while a dialog is open.
    const bar = (await driver().getByRole('region', { name: 'Selection' }).boundingBox())!;
    const notice = (await driver().getByRole('region', { name: 'Notices' }).boundingBox())!;
    expect(notice.y + notice.height).toBeLessThanOrEqual(bar.y);
    await open();
    await undo().click();
    await dialog().waitFor();
    await press('Escape');
    await page.see('text', 'The labels are what they were before.');
    expect(await labels()).toEqual({});
  });

  it('are given only to pictures without them, and replace others when they are set', async () => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.seeTiles();
    await page.tiles.first().focus();
    await press(' ');
    await open();
    await driver().keyboard.type('boat');
    await press('Enter');
    await page.see('text', /^The label boat was added to \d+ pictures?\./);
    const { boat } = await labels();
    await selectAll();
    await open();
    await dialog().getByRole('button', { name: 'boat', exact: true }).click();
    await dialog().getByRole('button', { name: 'Add the label' }).press('Enter');
    await page.see('text', `The label boat was added to ${PICTURES + COPIES - boat!} pictures.`);
    expect(await labels()).toEqual({ boat: PICTURES + COPIES });
    const before = await listed();
    await open();
    await driver().keyboard.type('sea');
    await dialog().getByRole('radio', { name: 'Set' }).check();
    await dialog().getByText('Pictures lose all other labels').waitFor();
    await dialog().getByRole('button', { name: 'Set the label' }).press('Enter');
    await page.see('text', `${PICTURES + COPIES} pictures now have the label sea alone.`);
    expect(await labels()).toEqual({ sea: PICTURES + COPIES });
    await undo().last().press('Enter');
    await page.see('text', 'The labels are what they were before.');
    expect(await listed()).toEqual(before);
  });

  it('are undone as far as they were changed, if the service refuses the rest', async () => {
    const before = await listed();
    await selectAll();
    await open();
    await driver().keyboard.type('sea');
    await dialog().getByRole('radio', { name: 'Set' }).check();
    const json = { detail: 'The dataset is being indexed.' };
    await driver().route('**/annotations', (route) => {
      const isRefused = route.request().postData()?.includes('"delete"') === true;
      return isRefused ? route.fulfill({ status: 409, json }) : route.continue();
    });
    page.forgive(409);
    await press('Enter');
    await page.see('text', `It ended when ${PICTURES + COPIES} pictures were changed: ${json.detail}`);
    expect(await labels()).toEqual({ boat: PICTURES + COPIES, sea: PICTURES + COPIES });
    await driver().unroute('**/annotations');
    await undo().press('Enter');
    await page.see('text', 'The labels are what they were before.');
    expect(await listed()).toEqual(before);
  });

  it('are removed without the boxes that have them; what others changed since is not undone', async () => {
    const [first] = await listed();
    const box = { label: 'boat', shape: { type: 'box', x: 1, y: 1, width: 8, height: 8 } };
    await send('POST', 'annotations', { source: 'ground_truth', annotations: [{ media_id: first!.media_id, ...box }] });
    await selectAll();
    await open();
    await driver().keyboard.type('boat');
    await dialog().getByRole('radio', { name: 'Remove' }).check();
    await press('Enter');
    await page.see('text', `The label boat was removed from ${PICTURES + COPIES} pictures.`);
    expect((await listed()).map(({ shape }) => shape === null)).toEqual([false]);
    const again = { media_id: first!.media_id, id: first!.id, label: 'quay' };
    await send('POST', 'annotations', { source: 'ground_truth', annotations: [again] });
    page.forgive(409);
    await undo().press('Enter');
    await page.see('text', /^Not all of it could be undone: .*somebody changed it in the meantime/);
    await send('POST', 'annotations', { source: 'ground_truth', mode: 'delete', annotations: [again] });
    await undo().press('Enter');
    await page.see('text', 'The labels are what they were before.');
    expect(await labels()).toEqual({ boat: PICTURES + COPIES });
  });

  it('are those of a closed label set', async () => {
    await selectAll();
    // The page has read the set before it is closed.
    await driver().route('**/label_set', (route) => route.fulfill({ json: { closed: false, labels: [] } }));
    await open();
    await send('PUT', 'label_set', { closed: true, labels: [{ name: 'harbour' }] });
    page.forgive(422);
    await driver().keyboard.type('ship');
    await press('Enter');
    await dialog()
      .getByText("Input should be in the label set of the dataset, which is closed: 'ship' is not in the label set.", {
        exact: true,
      })
      .waitFor();
    expect(await labels()).toEqual({ boat: PICTURES + COPIES });
    await driver().unroute('**/label_set');
    await selectAll();
    await open();
    await dialog().getByRole('button', { name: 'harbour', exact: true }).waitFor();
    await driver().keyboard.type('ship');
    await dialog().getByText('The label set of the dataset is closed, and ship is not in it.').waitFor();
    expect(await dialog().getByRole('button', { name: 'Add the label' }).isDisabled()).toBe(true);
    expect(await page.seriousFindings()).toEqual([]);
    await press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('are given to chosen members of a cluster', async () => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.seeTiles();
    await driver()
      .getByRole('gridcell', { name: /, such as copy/ })
      .press('Enter');
    await driver().waitForURL(/\/clusters\//);
    await page.see('grid', 'Members of the cluster');
    await page.seeTiles();
    await page.tiles.first().focus();
    await press(' ', 'Shift+ArrowRight');
    await open();
    await dialog().getByText('2 media', { exact: true }).waitFor();
    await driver().keyboard.type('harbour');
    await press('Enter');
    await page.see('text', 'The label harbour was added to 2 pictures.');
    expect(await labels()).toEqual({ boat: PICTURES + COPIES, harbour: 2 });
    await dialog().waitFor({ state: 'detached' });
  });
}
