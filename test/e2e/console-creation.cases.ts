import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ANNOTATION_FILE_NAMES } from '../../src/modules/tables/annotation-files/domain/annotation-file';
import { LEAVING } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { pictureBytes, writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';

const ROWS = 'filename,label,caption\na.jpg,boat,A small boat\nin/b.jpg,tree,\nnowhere.jpg,tree,\n';

/** Creating datasets, as part of the console tests. */
export function creationCases(world: () => ConsoleWorld): void {
  let annotated: string;

  const dialog = () => world().page.driver.getByRole('dialog');
  /** The inputs behind the buttons for files, a folder and annotation files, in this order. */
  const input = (at: number) => dialog().locator('input[type=file]').nth(at);
  const button = (name: string) => world().page.driver.getByRole('button', { name });
  const open = async (): Promise<void> => {
    const { page } = world();
    await page.visit('/datasets');
    await button('New dataset').click();
  };

  const found = async (label: string): Promise<string[]> => {
    const vql = encodeURIComponent(JSON.stringify([{ labels: { op: 'one_of', value: [label] } }]));
    const { clusters } = await world().ask<{ clusters: { previews: { file_name: string }[] }[] }>(
      `/explore/${annotated}?threshold=0&vql=${vql}`,
    );
    return clusters.flatMap(({ previews }) => previews.map(({ file_name: name }) => name));
  };

  it('is found by its name, and links to its unreadable files if it failed', async () => {
    const { page } = world();
    const name = 'Broken '.repeat(30).trim();
    await mkdir(world().folder('broken'));
    await writeFile(join(world().folder('broken'), 'a.jpg'), 'no picture');
    const broken = await world().createDataset(name, world().folder('broken'));
    await world().untilStatus(broken, 'ERROR');
    await page.visit('/datasets');
    const icon = page.driver.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name }).locator('svg');
    expect((await icon.boundingBox())!.width).toBe(16);
    await page.driver.keyboard.press('/');
    await page.driver.keyboard.type('bróken');
    await waitUntil(async () => (await page.driver.getByRole('article').count()) === 1);
    await page.driver.waitForURL((url) => url.searchParams.get('search') === 'bróken');
    await page.driver.getByLabel('Sort').selectOption({ label: 'By name' });
    await button(`Unreadable files of ${name}`).click();
    await dialog().getByRole('cell', { name: 'a.jpg', exact: true }).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.keyboard.press('Escape');
    await page.driver.getByRole('searchbox').fill('none has this name');
    await page.see('heading', 'No dataset matches');
    await button('Show all datasets').click();
    await waitUntil(async () => (await page.driver.getByRole('article').count()) > 1);
    await world().ask(`/dataset/${broken}`, { method: 'DELETE' });
  });

  it('is created from files, and lists the refused ones', async () => {
    const { page } = world();
    await open();
    await page.driver.getByText('Files of this computer').click();
    const files = ['a.jpg', 'b.jpg', 'c.jpg'].map(async (name, at) => ({
      name,
      mimeType: 'image/jpeg',
      buffer: await pictureBytes(40 + at),
    }));
    const refused = { name: 'notes.docx', mimeType: 'application/msword', buffer: Buffer.from('no picture') };
    await input(0).setInputFiles([...(await Promise.all(files)), refused]);
    await page.driver.getByLabel('Name', { exact: true }).fill('Uploaded');
    expect(await page.seriousFindings()).toEqual([]);
    await button('Create dataset').click();
    await button('1 file was refused').click();
    await page.see('text', /notes\.docx/);
    page.forgive(400);
    await waitUntil(async () => (await world().statuses())['Uploaded'] === 'READY');
    await page.see('text', '3 images');
    await button('Hide').click();
  });

  it('is deleted after a confirmation', async () => {
    const { page } = world();
    const before = Object.keys(await world().statuses());
    await button('Actions for Uploaded').click();
    await page.driver.getByRole('menuitem', { name: 'Delete' }).click();
    await page.see('alertdialog', 'Delete Uploaded?');
    expect(await page.seriousFindings()).toEqual([]);
    await button('Delete dataset').click();
    await page.see('text', 'Uploaded is deleted.');
    expect(Object.keys(await world().statuses())).toEqual(before.filter((name) => name !== 'Uploaded'));
  });

  it('reports that a folder is unavailable, not the service', async () => {
    const { page } = world();
    const detail = 'The media folder /photos is empty: check that its file system is mounted.';
    const asked = /\/ingestion\/roots/;
    await page.driver.route(asked, (route) => route.fulfill({ status: 503, json: { detail } }));
    page.forgive(503);
    await open();
    await button('Browse folders').click();
    await dialog().getByText(detail).waitFor();
    expect(await page.driver.getByText(/not reachable/).count()).toBe(0);
    // Requested again once the service reports that it is ready.
    await page.driver.waitForRequest(asked);
    expect(await page.driver.getByText('The service is reachable again.').count()).toBe(0);
    await page.driver.unroute(asked);
    await page.driver.keyboard.press('Escape');
  });

  it('is created from a folder of the service, chosen in the browser of folders', async () => {
    const { page } = world();
    const { keyboard } = page.driver;
    await writePicture(world().folder(join('albums', 'summer', 'a.jpg')), 47);
    await writePicture(world().folder(join('albums', 'b.jpg')), 48);
    for (let day = 1; day <= 12; day++) await mkdir(world().folder(join('albums', 'summer', `Day ${day}`)));
    await open();
    await button('Browse folders').click();
    const folders = page.driver.getByRole('region', { name: 'Folders of the service' });
    const enter = async (name: string): Promise<void> => {
      await folders.getByRole('listitem').getByRole('button', { name }).focus();
      await keyboard.press('Enter');
    };
    await enter(world().folder(''));
    await enter('albums');
    await folders.getByText('1 folder, and 1 image or video directly in it.').waitFor();
    const chosen = page.driver.getByLabel('Folder, bucket or manifest');
    expect(await chosen.inputValue()).toBe(world().folder('albums'));
    expect(await page.seriousFindings()).toEqual([]);
    await enter('summer');
    await folders.getByText('12 folders, and 1 image or video directly in it.').waitFor();
    // The buttons of the dialog are visible regardless of its content.
    const [frame, create] = [(await dialog().boundingBox())!, (await button('Create dataset').boundingBox())!];
    expect(create.y + create.height).toBeLessThanOrEqual(frame.y + frame.height);
    await folders.getByRole('button', { name: 'Up' }).click();
    await folders.getByRole('button', { name: 'summer' }).waitFor();
    expect(await chosen.inputValue()).toBe(world().folder('albums'));
    await page.driver.getByLabel('Name', { exact: true }).fill('Albums');
    await button('Create dataset').click();
    await waitUntil(async () => (await world().statuses())['Albums'] === 'READY');
    const albums = (await world().ask<{ id: string; display_name: string }[]>('/datasets')).find(
      ({ display_name: name }) => name === 'Albums',
    );
    await world().ask(`/dataset/${albums!.id}`, { method: 'DELETE' });
  });

  it('continues while other pages are open, and explains how to resume after leaving', async () => {
    const { page } = world();
    const files = await Promise.all(
      ['a.jpg', 'b.jpg'].map(async (name, at) => ({
        name,
        mimeType: 'image/jpeg',
        buffer: await pictureBytes(43 + at),
      })),
    );
    await page.driver.route('**/data_files/*', () => new Promise(() => undefined));
    await open();
    await page.driver.getByText('Files of this computer').click();
    await input(0).setInputFiles(files);
    await page.driver.getByLabel('Name', { exact: true }).fill('Left');
    await button('Create dataset').click();
    await page.driver.getByRole('link', { name: 'All tasks' }).click();
    await page.see('heading', 'Tasks');
    await page.see('text', /^0 of 2 files, /);
    await page.driver.reload();
    await page.driver.unrouteAll({ behavior: 'ignoreErrors' });
    await page.see('text', /^The page was left when 0 of 2 files were sent\. Send all of them again/);
    expect(page.takeErrors()).toEqual([LEAVING]);
    expect(await page.seriousFindings()).toEqual([]);
    await button('Hide').click();
    await page.visit('/datasets');
    await button('Actions for Left').click();
    await page.driver.getByRole('menuitem', { name: 'Upload files' }).click();
    await input(0).setInputFiles(files);
    expect(await page.seriousFindings()).toEqual([]);
    await dialog().getByRole('button', { name: 'Upload files' }).click();
    await page.see('text', 'Uploaded and indexed.');
    await button('Hide').click();
    const left = (await world().ask<{ id: string; display_name: string }[]>('/datasets')).find(
      ({ display_name: name }) => name === 'Left',
    );
    expect(await world().ask(`/dataset/${left!.id}`)).toMatchObject({ n_images: 2 });
    // A page with its pictures would request deleted ones.
    await page.visit('/notifications');
    await world().ask(`/dataset/${left!.id}`, { method: 'DELETE' });
  });

  it('shows the names of annotation files for every kind of source', async () => {
    await open();
    for (const source of ['Folder or bucket', 'Files of this computer']) {
      await dialog().getByText(source).click();
      for (const name of ANNOTATION_FILE_NAMES) await dialog().getByText(name, { exact: true }).waitFor();
    }
  });

  it('reads labels from annotation files, inside and outside the folder', async () => {
    const { page } = world();
    const folder = world().folder('annotated');
    await writePicture(join(folder, 'a.jpg'), 50);
    await writePicture(join(folder, 'in', 'b.jpg'), 51);
    await writeFile(join(folder, 'image_annotations.csv'), ROWS);
    await input(1).setInputFiles(folder);
    await page.see('text', /^2 files chosen/);
    await page.see('text', /^image_annotations\.csv, /);
    await page.see('text', 'They name a file like this: a.jpg');
    const other = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('nothing') });
    await input(2).setInputFiles(['labels.csv', 'annotations.json', 'object_annotations.csv'].map(other));
    await page.see('alert');
    await page.see('text', /^labels\.csv: not the name of an annotation file/);
    await button('Remove object_annotations.csv').click();
    expect(await page.seriousFindings()).toEqual([]);
    await button('Create dataset').click();
    await waitUntil(async () => (await world().statuses())['annotated'] === 'READY');
    const all = await world().ask<{ id: string; display_name: string }[]>('/datasets');
    annotated = all.find(({ display_name: name }) => name === 'annotated')!.id;
    expect(await found('boat')).toEqual(['a.jpg']);
    expect(await found('tree')).toEqual(['b.jpg']);
    await page.visit(`/datasets/${annotated}/tasks`);
    await page.driver.getByText('2 warnings').click();
    await page.see('text', /^annotations\.json is not in the expected format/);
    await page.see('text', '1 annotated file not in the dataset: "nowhere.jpg".');
  });

  it('adds labels from folder names later', async () => {
    const { page } = world();
    await page.visit(`/datasets/${annotated}/explore`);
    await button('Actions for annotated').click();
    await page.driver.getByRole('menuitem', { name: 'Add annotations' }).click();
    await dialog().getByText('Folder names', { exact: true }).click();
    await dialog().getByText('in 1', { exact: true }).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await dialog().getByRole('button', { name: 'Add annotations' }).click();
    await page.see('text', 'The media of annotated are being labelled.');
    await waitUntil(async () => (await found('in')).length > 0);
    expect(await found('in')).toEqual(['b.jpg']);
    expect(await found('tree')).toEqual(['b.jpg']);
    await page.visit('/notifications');
    await world().ask(`/dataset/${annotated}`, { method: 'DELETE' });
  });
}
