import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { writePicture } from '../support/pictures';
import type { ListedAnnotation } from '../support/source-client';
import { waitUntil } from '../support/wait-until';

const SET = {
  labels: [
    {
      name: 'boat',
      attributes: [
        { name: 'size', type: 'choice', values: ['small', 'large'] },
        { name: 'age', type: 'number' },
        { name: 'occluded', type: 'boolean' },
      ],
    },
  ],
  closed: true,
};

/** Captions, fields and attributes of a picture, as part of the console tests. */
export function describingCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;
  let mediaId: string;

  const driver = () => page.driver;
  const press = async (...keys: string[]) => {
    for (const key of keys) await driver().keyboard.press(key);
  };
  const surface = () => driver().getByRole('group', { name: 'The picture, to draw on' });
  const send = (method: string, path: string, body: object) =>
    world().ask(`/dataset/${id}/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const give = (source: string, annotation: object) =>
    send('POST', 'annotations', { source, annotations: [{ media_id: mediaId, label: 'boat', ...annotation }] });
  const stored = async () =>
    (
      await world().ask<{ annotations: ListedAnnotation[] }>(
        `/dataset/${id}/annotations?media_id=${mediaId}&source=ground_truth`,
      )
    ).annotations.map(({ attributes }) => attributes);
  const described = async () => {
    const { caption, custom_metadata } = await world().ask<{ caption: string | null; custom_metadata: object[] }>(
      `/dataset/${id}/media/${mediaId}`,
    );
    return { caption, custom_metadata };
  };
  const untilStored = (...wanted: object[]) =>
    waitUntil(async () => JSON.stringify(await stored()) === JSON.stringify(wanted));

  beforeAll(async () => {
    ({ page } = world());
    const folder = world().folder('described');
    for (let picture = 0; picture < 2; picture += 1) await writePicture(join(folder, `${picture}.jpg`), 700 + picture);
    id = await world().indexedDataset('Described', folder);
    const { clusters } = await world().ask<{ clusters: { previews: { media_id: string }[] }[] }>(
      `/explore/${id}?threshold=0`,
    );
    mediaId = clusters[0]!.previews[0]!.media_id;
  });

  afterAll(async () => {
    await page.visit('/notifications');
    await world().ask(`/dataset/${id}`, { method: 'DELETE' });
  });

  it('sets the attributes that the label set has, by keyboard, with undo', async () => {
    const shape = { type: 'box', x: 10, y: 10, width: 60, height: 40 };
    await give('ground_truth', { shape, attributes: { hull: 'wood' } });
    await give('detector', { shape: { ...shape, x: 80 }, attributes: { hull: 'steel', size: 'large' } });
    await send('PUT', 'label_set', SET);
    await page.visit(`/datasets/${id}/explore?media=${mediaId}`);
    await page.see('text', 'hull: wood');
    await press('e');
    await surface().waitFor();
    await press('n');
    await page.see('group', 'Attributes');
    await press('a', 'ArrowDown');
    await untilStored({ hull: 'wood', size: 'small' });
    await press('Tab');
    await driver().keyboard.type('old');
    await page.see('text', 'This is no number.');
    expect(await page.seriousFindings()).toEqual([]);
    await press('Backspace', 'Backspace', 'Backspace', '7', 'Enter');
    await untilStored({ hull: 'wood', size: 'small', age: 7 });
    await driver().getByRole('button', { name: 'Remove hull' }).click();
    await untilStored({ size: 'small', age: 7 });
    await press('a', 'Escape', 'Control+z', 'Control+z');
    await untilStored({ hull: 'wood', size: 'small' });
    await press('Control+y');
    await untilStored({ hull: 'wood', size: 'small', age: 7 });
    await driver().getByRole('list', { name: 'Annotations' }).getByText('size: large').click();
    await page.see('button', 'Copy to ground_truth');
    await press('c');
    await untilStored({ hull: 'wood', size: 'small', age: 7 }, { size: 'large' });
  });

  it('changes the caption and the fields of a picture by keyboard, and takes that back', async () => {
    const field = (body: object) =>
      world().ask(`/datasets/${id}/custom_metadata/tasks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await field({ field_name: 'weather', field_type: 'enum', enum_options: ['sun', 'rain'], is_multi: true });
    await field({ field_name: 'depth', field_type: 'float' });
    await page.visit(`/datasets/${id}/explore?media=${mediaId}`);
    await page.see('button', 'Edit');
    await press('e');
    const caption = driver().getByRole('textbox', { name: 'Caption' });
    await caption.focus();
    await driver().keyboard.type('Two boats');
    await driver().getByRole('textbox', { name: 'depth' }).focus();
    await driver().keyboard.type('deep');
    await page.see('text', 'This is no number.');
    expect(await page.seriousFindings()).toEqual([]);
    for (let letter = 0; letter < 4; letter += 1) await press('Backspace');
    await driver().keyboard.type('3.5');
    await press('Tab', ' ', 'Control+Enter');
    await page.see('text', 'Saved.');
    const values = [
      { field_name: 'depth', field_type: 'float', value: 3.5 },
      { field_name: 'weather', field_type: 'enum', value: ['sun'] },
    ];
    expect(await described()).toEqual({ caption: 'Two boats', custom_metadata: values });
    await driver().getByRole('button', { name: 'Undo', exact: true }).press('Enter');
    await driver().getByRole('button', { name: 'Redo', exact: true }).waitFor();
    expect(await described()).toEqual({ caption: null, custom_metadata: [] });
    await driver().getByRole('button', { name: 'Redo', exact: true }).press('Enter');
    await driver().getByRole('button', { name: 'Undo', exact: true }).waitFor();
    expect(await described()).toEqual({ caption: 'Two boats', custom_metadata: values });
    expect(await caption.inputValue()).toBe('Two boats');
  });

  it('gives a field to all of a selection', async () => {
    await page.visit(`/datasets/${id}/explore`);
    await page.seeTiles();
    for (let tile = 0; tile < (await page.tiles.count()); tile += 1) {
      await page.tiles.nth(tile).focus();
      await press(' ');
    }
    await driver().getByRole('button', { name: 'Fields' }).press('Enter');
    await driver().getByRole('combobox', { name: 'What is set' }).selectOption('weather');
    await driver().getByLabel('rain').press(' ');
    expect(await page.seriousFindings()).toEqual([]);
    await press('Enter');
    await page.see('text', '2 media have the value now.');
    const { custom_metadata: values } = await described();
    expect(values).toContainEqual({ field_name: 'weather', field_type: 'enum', value: ['rain'] });
  });

  it('shows a large picture, and one that the browser cannot read, by tiles of what is in view', async () => {
    const folder = world().folder('large');
    await mkdir(folder);
    const create = { width: 6_200, height: 4_200, channels: 3 as const, background: '#336699' };
    await sharp({ create }).jpeg().toFile(join(folder, 'large.jpg'));
    await sharp({ create: { ...create, width: 400, height: 300 } })
      .tiff()
      .toFile(join(folder, 'scan.tiff'));
    const large = await world().indexedDataset('Large', folder);
    const { clusters } = await world().ask<{ clusters: { previews: { media_id: string; file_name: string }[] }[] }>(
      `/explore/${large}?threshold=0`,
    );
    const all = clusters.flatMap(({ previews }) => previews);
    const idOf = (name: string) => all.find(({ file_name: file }) => file.endsWith(name))!.media_id;
    const loaded: string[] = [];
    const onResponse = (answer: { url: () => string; ok: () => boolean }) => {
      const [, tile] = /\/tiles\/([\d/]+)\?/.exec(answer.url()) ?? [];
      if (tile !== undefined && answer.ok()) loaded.push(tile);
      if (/\/large\.jpg\?/.test(answer.url())) loaded.push('the original');
    };
    driver().on('response', onResponse);
    await page.visit(`/datasets/${large}/explore?media=${idOf('large.jpg')}`);
    await waitUntil(() => Promise.resolve(loaded.length > 0));
    await page.see('button', 'Zoom in');
    for (let step = 0; step < 7; step += 1) await press('+');
    await waitUntil(() => Promise.resolve(loaded.some((tile) => tile.startsWith('0/'))));
    expect(loaded[0]).toBe('2/0/0');
    expect(loaded).not.toContain('the original');
    expect(loaded.filter((tile) => tile.startsWith('0/')).length).toBeLessThan(12);
    await press('i', 'u');
    await page.see('button', 'Brightness, 150%');
    await page.see('button', 'Contrast, 150%');
    expect(await page.seriousFindings()).toEqual([]);
    loaded.length = 0;
    await page.visit(`/datasets/${large}/explore?media=${idOf('scan.tiff')}`);
    await waitUntil(() => Promise.resolve(loaded.includes('0/0/0')));
    driver().off('response', onResponse);
    await page.visit('/notifications');
    await world().ask(`/dataset/${large}`, { method: 'DELETE' });
  });
}
