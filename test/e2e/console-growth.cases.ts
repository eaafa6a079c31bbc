import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipOf } from '../support/archive-bytes';
import type { ConsolePage } from '../support/console-page';
import { form, type ConsoleWorld } from '../support/console-world';
import { pictureBytes, writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';

const NAME = 'Growing';
const FIRST = 3;

/** Adding media to a dataset, as part of the console tests. */
export function growthCases(world: () => ConsoleWorld): void {
  let id: string;
  let images = FIRST;

  const folderOf = (name: string): string => world().folder(join('growth', name));
  const button = (name: string | RegExp) => world().page.driver.getByRole('button', { name });
  const until = (status: string, count: number): Promise<void> =>
    waitUntil(async () => {
      const found = await world().ask<{ status_new: string; n_images: number }>(`/dataset/${id}`);
      return found.status_new === status && found.n_images === count;
    });
  const open = async (entry: string): Promise<ConsolePage> => {
    const { page } = world();
    await button(`Actions for ${NAME}`).click();
    await page.driver.getByRole('menuitem', { name: entry }).click();
    return page;
  };
  const addFrom = async (source: 'Files' | 'Archive'): Promise<void> => {
    const { driver } = await open('Add media');
    await driver.getByText(source, { exact: true }).click();
  };
  const submit = (): Promise<void> =>
    world().page.driver.getByRole('dialog').getByRole('button', { name: 'Add media' }).click();
  const hide = (): Promise<void> => world().page.driver.getByRole('button', { name: 'Hide', exact: true }).click();
  const fileInput = () => world().page.driver.getByRole('dialog').locator('input[type=file]').first();
  const choose = (files: readonly { readonly name: string; readonly buffer: Buffer }[]): Promise<void> =>
    fileInput().setInputFiles(files.map((file) => ({ ...file, mimeType: 'application/octet-stream' })));
  const pictureFile = async (name: string, seed: number) => ({ name, buffer: await pictureBytes(seed) });

  beforeAll(async () => {
    const source = folderOf('source');
    for (let at = 0; at < FIRST; at += 1) await writePicture(join(source, `${at}.jpg`), 60 + at);
    await writePicture(folderOf('more/more.jpg'), 70);
    id = await world().indexedDataset(NAME, source);
  });

  afterAll(async () => {
    await world().ask(`/dataset/${id}`, { method: 'DELETE' });
  });

  it('refuses a location without media, then accepts another, using the keyboard only', async () => {
    const { page } = world();
    const { keyboard } = page.driver;
    await page.visit(`/datasets/${id}/explore`);
    await button(`Actions for ${NAME}`).focus();
    await keyboard.press('Enter');
    await page.driver.getByRole('menuitem', { name: 'Add media' }).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await keyboard.press('Enter');
    await page.see('dialog', `Add media to ${NAME}`);
    const nowhere = folderOf('nowhere');
    await keyboard.type(nowhere);
    await keyboard.press('Enter');
    await page.see('alert');
    await page.see('text', `Invalid S3 URI or no media files found at ${nowhere}`);
    page.forgive(400);
    expect(await page.seriousFindings()).toEqual([]);
    await keyboard.press('Control+a');
    await keyboard.type(folderOf('more'));
    await keyboard.press('Enter');
    await page.see('text', `The media are being added to ${NAME}.`);
    await until('PARTIAL INDEX', (images += 1));
  });

  it('reads a bucket with a role, and shows errors of the role', async () => {
    const { page } = world();
    const { driver } = await open('Add media');
    const [location, role] = [driver.getByLabel('Folder, bucket or manifest'), driver.getByLabel(/^Role to assume/)];
    await location.fill(folderOf('more'));
    expect(await role.count()).toBe(0);
    await location.fill('s3://photos/');
    await role.fill('admin');
    await submit();
    await page.see('text', 'Input should be the ARN of a role');
    expect(await role.getAttribute('aria-invalid')).toBe('true');
    expect(await location.getAttribute('aria-invalid')).toBe('false');
    page.forgive(422);
    expect(await page.seriousFindings()).toEqual([]);
    await role.fill('arn:aws:iam::123456789012:role/media');
    const sent = driver.waitForRequest(/\/add_media$/);
    const refused = driver.waitForEvent('console', (message) => message.text().includes('status of 400'));
    await submit();
    expect((await sent).postData()).toContain('arn:aws:iam::123456789012:role/media');
    // The test has no store that supports roles.
    await refused;
    await page.see('alert');
    page.forgive(400);
    // Focus was lost, because the pressed button was disabled meanwhile.
    await driver.keyboard.press('Escape');
    await driver.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('reports outdated clusters and features that need new ones, and rebuilds them', async () => {
    const { page } = world();
    await page.visit(`/datasets/${id}/explore`);
    await page.see('note');
    await page.seeTiles();
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('note').getByRole('button', { name: 'Reindex' }).waitFor();
    // A search by a picture waits for the operation, and continues afterwards.
    const query = { ...(await pictureFile('query.jpg', 70)), mimeType: 'image/jpeg' };
    await page.driver.getByRole('search').locator('input[type=file]').setInputFiles(query);
    const dialog = page.driver.getByRole('dialog');
    const search = dialog.getByRole('button', { name: 'Search by the whole picture' });
    await dialog.getByText(/waits for a reindex/).waitFor();
    expect(await search.isDisabled()).toBe(true);
    expect(await page.seriousFindings()).toEqual([]);
    await dialog.getByRole('button', { name: 'Reindex' }).click();
    await page.see('text', 'The clusters are being rebuilt.');
    await until('READY', images);
    await search.click();
    await dialog.waitFor({ state: 'detached' });
    await page.seeTiles();
    await page.driver.getByRole('note').waitFor({ state: 'detached' });
  });

  it('adds files except refused ones, and reindexes', async () => {
    const { page } = world();
    await page.visit('/datasets');
    await addFrom('Files');
    const docx = (name: string) => ({ name, buffer: Buffer.from('no picture') });
    await choose([await pictureFile('a.jpg', 71), docx('one.docx'), await pictureFile('b.jpg', 72), docx('two.docx')]);
    await page.see('text', /^4 files chosen/);
    await page.driver.getByLabel('Reindex afterwards').check();
    expect(await page.seriousFindings()).toEqual([]);
    await submit();
    const refusals = button('2 files were refused');
    await refusals.click();
    await page.see('text', 'two.docx');
    page.forgive(400);
    await page.see('text', 'Added to the dataset.');
    expect(await page.seriousFindings()).toEqual([]);
    await until('READY', (images += 2));
    await hide();
    await refusals.waitFor({ state: 'detached' });
  });

  it('adds annotations, and reports those without media', async () => {
    const { page } = world();
    await page.visit(`/datasets/${id}/explore`);
    await open('Add annotations');
    await page.see('dialog', `Add annotations to ${NAME}`);
    await page.driver.getByText('Files with captions and fields').click();
    expect(await button(/^Add annotations$/).isDisabled()).toBe(true);
    const text = (name: string, ...lines: string[]) => ({ name, buffer: Buffer.from(lines.join('\n')) });
    await choose([
      text('labels.csv', 'filename,label'),
      text(
        'image_annotations.csv',
        'filename,label,caption,metadata.site',
        '1.jpg,boat,A small boat,north',
        '2.jpg,,A pier,south',
        'nowhere.jpg,boat,,',
      ),
      text('object_annotations.csv', 'filename,col_x,row_y,width,height,label', '2.jpg,10,10,40,40,sail'),
    ]);
    await page.see('text', /^labels\.csv: not the name of an annotation file/);
    expect(await page.seriousFindings()).toEqual([]);
    await button(/^Add annotations$/).click();
    await page.see('text', 'Done, but not all of it was used:');
    await page.see('text', '1 of 3 annotations match no medium of the dataset: nowhere.jpg.');
    expect(await page.seriousFindings()).toEqual([]);
    await until('READY', images);
    expect(await world().ask(`/datasets/${id}/custom_metadata/schema`)).toMatchObject([{ field_name: 'site' }]);
    await hide();
    await page.visit(`/datasets/${id}/explore?type=OBJECTS`);
    await page.see('text', 'sail');
  });

  it('shows the values of custom fields side by side in the filters', async () => {
    const { page } = world();
    await page.visit(`/datasets/${id}/explore`);
    await page.see('heading', 'site');
    const site = (value: string) => page.driver.getByRole('checkbox', { name: new RegExp(`^${value}`) });
    await site('north').click();
    await page.see('text', '1 media match');
    await site('south').click();
    await page.see('text', '2 media match');
    await button('Remove the filter site: north').click();
    await page.see('text', '1 media match');
    await button('Exclude south').click();
    await page.driver.waitForURL((url) => url.searchParams.get('vql')?.startsWith('[{"not":') === true);
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('replaces annotations, and reports why a file is invalid', async () => {
    const { page } = world();
    await open('Add annotations');
    await page.driver.getByText('Files with captions and fields').click();
    await choose([{ name: 'annotations.json', buffer: Buffer.from('nothing') }]);
    await button(/^Add annotations$/).click();
    await page.see('text', /^The upload stopped: There is no annotation in annotations\.json\./);
    await until('READY', images);
    await hide();
    await open('Add annotations');
    await page.driver.getByText('Files with captions and fields').click();
    await choose([{ name: 'image_annotations.csv', buffer: Buffer.from('filename,label\n1.jpg,ship') }]);
    await page.driver.getByText('Replace existing annotations').click();
    await button(/^Add annotations$/).click();
    await page.see('text', 'Done. Every annotation was given to its media.');
    await until('READY', images);
    await hide();
    const found = async (label: string): Promise<number> => {
      const vql = encodeURIComponent(JSON.stringify([{ labels: { op: 'one_of', value: [label] } }]));
      return (await world().ask<{ clusters: [] }>(`/explore/${id}?threshold=0&vql=${vql}`)).clusters.length;
    };
    expect([await found('boat'), await found('ship')]).toEqual([0, 1]);
  });

  it('shows the progress while it is updated', async () => {
    const { page } = world();
    await page.visit(`/datasets/${id}/explore`);
    await addFrom('Files');
    await choose([await pictureFile('a.jpg', 71), await pictureFile('c.jpg', 73)]);
    await writePicture(folderOf('meanwhile/meanwhile.jpg'), 74);
    await world().ask(`/dataset/${id}/add_media`, form({ s3_uri: folderOf('meanwhile') }));
    await submit();
    await page.see('text', 'Done. 1 file was already in the dataset.');
    page.forgive(409);
    await until('PARTIAL INDEX', (images += 2));
    await hide();
  });

  it('accepts dropped files, which do not reach the page below', async () => {
    const { page } = world();
    await page.visit('/datasets');
    await addFrom('Files');
    const { x, y, width } = (await button('Choose a folder').boundingBox())!;
    const files = [folderOf('source'), folderOf('more/more.jpg')];
    const session = await page.driver.context().newCDPSession(page.driver);
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      const data = { items: [], files, dragOperationsMask: 1 };
      await session.send('Input.dispatchDragEvent', { type, x: x + width + 40, y: y + 10, data });
    }
    await page.see('text', `${FIRST + 1} files chosen`);
    expect(await page.driver.getByRole('dialog').count()).toBe(1);
    await page.driver.keyboard.press('Escape');
  });

  it('adds files after an outage', async () => {
    const { page } = world();
    await page.visit(`/datasets/${id}/explore`);
    await addFrom('Files');
    await choose([await pictureFile('e.jpg', 78)]);
    await page.driver.route('**/add_media', (route) => route.abort('connectionreset'), { times: 1 });
    await submit();
    await page.see('text', 'The service cannot be reached. The upload continues when it is back.');
    await page.see('text', 'Added to the dataset.');
    page.forgive('ERR_CONNECTION_');
    await until('PARTIAL INDEX', (images += 1));
    await hide();
  });

  it('adds an archive, and reports why another is refused', async () => {
    const { page } = world();
    await page.visit(`/datasets/${id}/explore`);
    await addFrom('Archive');
    await choose([{ name: 'broken.zip', buffer: Buffer.from('no archive') }]);
    await page.see('text', /^broken\.zip, 10/);
    expect(await page.seriousFindings()).toEqual([]);
    await submit();
    await page.see('text', /^The upload stopped: .*it is neither a zip nor a tar/);
    page.forgive(400);
    await hide();
    await addFrom('Files');
    // An archive cannot be combined with files.
    await choose([{ name: 'more.zip', buffer: zipOf([{ name: 'in/d.jpg', bytes: await pictureBytes(75) }]) }]);
    expect(await page.driver.getByRole('radio', { name: 'Archive' }).isChecked()).toBe(true);
    await submit();
    await page.see('text', 'Added to the dataset.');
    await until('PARTIAL INDEX', (images += 1));
    await hide();
  });

  it('reports a file that was deleted after it was chosen', async () => {
    const { page } = world();
    await page.visit(`/datasets/${id}/explore`);
    await addFrom('Files');
    const path = folderOf('gone.jpg');
    await writeFile(path, await pictureBytes(76));
    await fileInput().setInputFiles(path);
    await page.see('text', /^1 file chosen/);
    await rm(path);
    await submit();
    await page.see('text', 'The upload stopped: It was deleted or changed since it was chosen.');
    page.forgive('ERR_');
    await hide();
  });

  it('synchronises with its source, and removes missing media on request', async () => {
    const { page } = world();
    await writePicture(folderOf('source/new.jpg'), 77);
    await rm(folderOf('source/0.jpg'));
    await page.visit('/datasets');
    await open('Sync with the source');
    await page.see('alertdialog', `Sync ${NAME} with its source?`);
    await button(/^Sync$/).waitFor();
    await page.driver.getByLabel('Remove the media of files that are gone').check();
    expect(await page.seriousFindings()).toEqual([]);
    await button('Sync and remove').click();
    await page.see('text', /is being compared with its source/);
    await waitUntil(async () => {
      const { tasks } = await world().ask<{ tasks: { status: string; warnings: string[] }[] }>(
        `/tasks?dataset_id=${id}`,
      );
      return tasks[0]?.status === 'COMPLETED' && tasks[0].warnings.some((warning) => warning.includes('0.jpg'));
    });
    await until('PARTIAL INDEX', images);
  });

  it('disables unavailable actions, with the reason', async () => {
    const { page } = world();
    const draft = await world().ask<{ dataset_id: string }>('/ingestion/new_dataset?dataset_name=Draft');
    await page.visit('/datasets');
    await button('Actions for Draft').click();
    const entry = page.driver.getByRole('menuitem', { name: 'Add media' });
    expect(await entry.getAttribute('aria-disabled')).toBe('true');
    await page.see('text', 'Not before it is indexed');
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.keyboard.press('Escape');
    await button(`Actions for ${NAME}`).click();
    const annotating = page.driver.getByRole('menuitem', { name: 'Add annotations' });
    expect(await annotating.getAttribute('aria-disabled')).toBe('true');
    await page.see('text', 'Not before the added media are reindexed');
    await page.driver.keyboard.press('Escape');
    await world().ask(`/dataset/${draft.dataset_id}`, { method: 'DELETE' });
  });

  it('fits on a phone', async () => {
    const { page } = world();
    await page.driver.setViewportSize({ width: 390, height: 844 });
    await page.visit(`/datasets/${id}/explore`);
    await open('Add media');
    for (const source of ['Location', 'Files', 'Archive']) {
      await page.driver.getByText(source, { exact: true }).click();
      expect(await page.driver.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    }
    await page.driver.keyboard.press('Escape');
    await page.driver.setViewportSize({ width: 1280, height: 800 });
  });
}
