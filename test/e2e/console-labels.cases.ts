import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { SiteModels } from '../support/site-models';
import { writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';

const DATASET = 'Sorted';
const HOSTILE = '<img src=x onerror=alert(1)>';
const FOLDERS = { boats: 3, trees: 2, [HOSTILE]: 1 };
/** Together with the labels of folders, a few more than a list shows. */
const LABELS = Array.from({ length: 1_001 }, (_, at) => `label ${String(at).padStart(4, '0')}`);

/** Labels from folders and from a file, and filtering by them in Explore, as part of the console tests. */
export function labelsCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;

  const section = (name: string) =>
    page.driver
      .getByRole('complementary', { name: 'Filters' })
      .locator('section')
      .filter({ has: page.driver.getByRole('heading', { name }) });
  const value = (list: string, name: string, count: number) =>
    section(list)
      .getByText(new RegExp(`^${name.replace(/[()]/g, '\\$&')}\\s*${count}$`))
      .getByRole('checkbox');

  beforeAll(async () => {
    ({ page } = world());
    let seed = 300;
    for (const [folder, count] of Object.entries(FOLDERS))
      for (let at = 0; at < count; at += 1)
        await writePicture(join(world().folder('sorted'), folder, `${at}.jpg`), (seed += 1));
    const rows = LABELS.map((label) => `boats/0.jpg,${label}\n`);
    await writeFile(join(world().folder('sorted'), 'image_annotations.csv'), `filename,label\n${rows.join('')}`);
  });

  afterAll(async () => {
    // A page that shows it would request deleted pictures.
    await page.visit('/notifications');
    await world().ask(`/dataset/${id}`, { method: 'DELETE' });
  });

  it('are offered from the folders of a new dataset, once its location is entered', async () => {
    const mine = await ConsolePage.open(world().browser, world().url);
    const { driver } = mine;
    const asked: (string | null)[] = [];
    driver.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith('/folder_labels')) asked.push(url.searchParams.get('bucket_path'));
    });
    await driver.clock.install();
    await mine.visit('/datasets');
    await driver.getByRole('button', { name: 'New dataset' }).click();
    await driver.getByLabel('Name', { exact: true }).fill(DATASET);
    const location = driver.getByLabel('Folder, bucket or manifest');
    await location.fill(world().folder('sor'));
    await driver.clock.runFor(5_000);
    await location.fill(world().folder('sorted'));
    await location.press('Tab');
    const choice = driver.getByRole('checkbox', { name: /^Folder names as labels/ });
    await choice.waitFor();
    expect(await choice.isChecked()).toBe(true);
    await mine.see('text', `boats 3, trees 2, ${HOSTILE} 1`);
    expect(asked).toEqual([world().folder('sorted')]);
    expect(await mine.seriousFindings()).toEqual([]);
    await driver.getByRole('button', { name: 'Create dataset' }).click();
    await waitUntil(async () => (await world().statuses())[DATASET] === 'READY');
    const all = await world().ask<{ id: string; display_name: string }[]>('/datasets');
    ({ id } = all.find(({ display_name: name }) => name === DATASET)!);
    expect(mine.takeErrors()).toEqual([]);
    await driver.context().close();
  });

  it('are listed in Explore, and labels beyond the list can be searched', async () => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    await value('Labels', 'boats', 3).waitFor();
    await value('Labels', 'trees', 2).waitFor();
    await value('Labels', HOSTILE, 1).waitFor();
    await section('Labels').getByRole('button', { name: /more/ }).click();
    await section('Labels')
      .getByText(/most frequent of 1,00/)
      .waitFor();
    const last = LABELS.at(-1)!;
    expect(await value('Labels', last, 1).count()).toBe(0);
    await page.driver.getByLabel('Find in labels').fill(last.toUpperCase());
    await value('Labels', last, 1).click();
    await page.see('text', '1 media match');
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByLabel('Find in labels').fill('none has this name');
    await section('Labels').getByText('Nothing has this name.').waitFor();
    const inside = LABELS[500]!;
    await page.driver.getByLabel('Find in labels').fill(inside);
    await value('Labels', inside, 1).click();
    await section('Labels').getByRole('button', { name: 'Fewer' }).click();
    for (const name of [inside, last]) await section('Labels').getByText(name).waitFor();
  });

  it('stand below their parents, once a tagger is installed that knows them', async () => {
    const models = SiteModels.installed(world().home.dataDir);
    await models.addTagger('site-tagger_v00', [
      { label: 'boats', parents: ['vehicle', 'thing'] },
      { label: 'trees', parents: ['plant', 'thing'] },
    ]);
    await world().ask(`/enrichment/${id}/list_models`);
    await page.visit(`/datasets/${id}/explore?level=0`);
    await value('Labels', 'thing', 5).waitFor();
    expect(await value('Labels', 'boats', 3).count()).toBe(0);
    await page.driver.getByRole('button', { name: 'Labels below thing' }).click();
    await value('Labels', 'vehicle', 3).click();
    await page.see('text', '3 media match');
    await page.see('text', 'any vehicle');
    await page.driver.getByRole('button', { name: 'Labels below vehicle' }).click();
    await value('Labels', 'boats', 3).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await section('Labels').getByRole('button', { name: 'Exclude plant' }).click();
    await page.see('text', 'Not any plant');
    await page.driver.reload();
    expect(await value('Labels', 'vehicle', 3).isChecked()).toBe(true);
    await models.take('site-tagger_v00');
    await world().ask(`/enrichment/${id}/list_models`);
  });

  it('allow choosing further folders, and excluding folders', async () => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    await value('Folders', 'boats', 3).click();
    await page.see('text', '3 media match');
    await value('Folders', HOSTILE, 1).waitFor();
    await value('Folders', 'trees', 2).click();
    await page.see('text', '5 media match');
    await waitUntil(async () => (await page.tiles.count()) === 5);
    await page.driver.getByRole('button', { name: 'Clear all' }).click();
    await section('Labels').getByRole('button', { name: 'Exclude boats' }).click();
    await page.see('text', 'Not boats');
    await waitUntil(async () => (await page.tiles.count()) === 3);
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('have no words, and are not searched by meaning, which is explained with the alternatives', async () => {
    await page.visit(`/datasets/${id}/explore`);
    const search = page.driver.getByRole('search');
    await search.getByLabel('Search', { exact: true }).fill('a boat at night');
    await page.driver.keyboard.press('Enter');
    await page.see('heading', 'Nothing matches');
    await page.driver.getByRole('button', { name: 'Search by meaning' }).click();
    await page.see('heading', 'No text can be compared with this dataset yet');
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('button', { name: 'Clear this search' }).click();
    await page.seeTiles();
    await page.driver.goBack();
    await page.driver.getByRole('button', { name: 'Enrich the dataset' }).click();
    await page.driver.waitForURL((url) => url.pathname === `/datasets/${id}/enrich`);
  });
}
