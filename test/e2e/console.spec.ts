import { join } from 'node:path';
import { ConsolePage } from '../support/console-page';
import { describeInBrowser, hasBrowser } from '../support/browser';
import { ConsoleWorld } from '../support/console-world';
import { pictureBytes, writePicture } from '../support/pictures';
import { readZip } from '../support/read-zip';
import { waitUntil } from '../support/wait-until';
import { ADMINISTRATION, administrationCases } from './console-administration.cases';
import { annotationFilesCases } from './console-annotation-files.cases';
import { annotationsCases } from './console-annotations.cases';
import { creationCases } from './console-creation.cases';
import { enrichmentCases } from './console-enrichment.cases';
import { keyboardCases } from './console-keyboard.cases';
import { labelsCases } from './console-labels.cases';
import { mapCases } from './console-map.cases';
import { tracksCases } from './console-tracks.cases';

const MARKUP = '<img src=x onerror=alert(1)>';
/** Right-to-left text, and a character that reverses the direction. */
const HOSTILE_NAMES = [`${MARKUP}.jpg`, 'صورة\u202egpj.jpg', `${'ü'.repeat(125)}x.jpg`];
const DATASET = `${MARKUP} شجرة`;
const PICTURES = 24;

if (!hasBrowser) console.warn('There is no Chromium: the console is not tested.');

describeInBrowser('the console', () => {
  let world: ConsoleWorld;
  let page: ConsolePage;
  let id: string;

  beforeAll(async () => {
    world = await ConsoleWorld.start(ADMINISTRATION);
    ({ page } = world);
    const folder = world.folder('first');
    for (const [at, name] of HOSTILE_NAMES.entries()) await writePicture(join(folder, name), at);
    for (let at = HOSTILE_NAMES.length; at < PICTURES; at += 1) await writePicture(join(folder, `${at}.jpg`), at);
    id = await world.indexedDataset(DATASET, folder);
  });

  afterAll(() => world.close());

  /** No injected script ran, and no content security policy was violated. */
  afterEach(() => {
    expect(page.takeErrors()).toEqual([]);
  });

  it('shows the datasets', async () => {
    await page.visit('/');
    await page.see('link', DATASET);
    await page.see('text', `${PICTURES} images`);
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('explains that a page or a dataset does not exist', async () => {
    await page.visit('/nowhere');
    await page.see('heading', 'There is no such page');
    const unknown = '00000000-0000-4000-8000-000000000000';
    const missed = [`dataset/${unknown}`, `explore/${unknown}`].map((path) =>
      page.driver.waitForEvent('console', (message) => message.location().url.includes(`/api/v1/${path}`)),
    );
    await page.visit(`/datasets/${unknown}/explore`);
    await page.see('heading', 'This is not there');
    await Promise.all(missed);
    page.forgive(404);
  });

  it('shows clusters, and keeps the settings of grouping, order and tiles', async () => {
    await page.visit(`/datasets/${id}`);
    await page.see('grid', 'Clusters');
    await page.seeTiles();
    await page.driver.getByLabel('Grouping').press('Home');
    await page.driver.waitForURL(/level=0/);
    await page.driver.getByLabel('Sort').selectOption({ label: 'Smallest files first' });
    await page.driver.waitForURL(/sort=file_size/);
    await page.driver.getByRole('button', { name: 'Show on tiles' }).press('Enter');
    const facts = page.driver.getByRole('dialog', { name: 'Show on tiles' });
    for (const fact of ['File name', 'File size', 'Tags']) await facts.getByLabel(fact).press(' ');
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.keyboard.press('Escape');
    const size = page.driver.getByRole('slider', { name: 'Size of the tiles' });
    await size.press('ArrowLeft');
    await page.driver.reload();
    await page.seeTiles();
    expect(await page.driver.getByLabel('Grouping').inputValue()).toBe('0');
    expect(await size.getAttribute('aria-valuetext')).toBe('Small');
    await waitUntil(async () => (await page.tiles.count()) === PICTURES);
    for (const name of HOSTILE_NAMES) await page.driver.getByTitle(`File name: ${name}`, { exact: true }).waitFor();
    await page.driver
      .getByTitle(/^File size: /)
      .nth(PICTURES - 1)
      .waitFor();
    const sizes = (await page.driver.getByTitle(/^File size: /).allTextContents()).map(parseFloat);
    expect(sizes).toEqual([...sizes].sort((one, other) => one - other));
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.evaluate("localStorage.removeItem('dms.tiles')");
  });

  it('retries failed pictures, and marks unavailable ones', async () => {
    const mine = await ConsolePage.open(world.browser, world.url);
    const { driver } = mine;
    const asked = new Map<string, number>();
    let [isAway, refused] = [false, 0];
    await driver.route(`**/api/v1/explore/${id}?**`, (route) =>
      ++refused === 1 ? route.fulfill({ status: 429, headers: { 'retry-after': '1' } }) : route.fallback(),
    );
    await driver.route('**/api/v1/media/**', async (route) => {
      const url = route.request().url();
      const before = asked.get(url) ?? 0;
      asked.set(url, before + 1);
      if (isAway || before === 0) await (asked.size % 2 === 0 ? route.abort() : route.fulfill({ status: 429 }));
      else await route.continue();
    });
    const drawn = () =>
      driver.evaluate<number>(
        "[...document.querySelectorAll('[role=gridcell] img')].filter((image) => image.naturalWidth > 0).length",
      );
    await driver.clock.install();
    await mine.visit(`/datasets/${id}/explore?level=0`);
    await waitUntil(async () => (await drawn()) === PICTURES);
    expect(refused).toBeGreaterThan(1);
    expect([...asked.values()]).toEqual(Array(PICTURES).fill(2));
    isAway = true;
    await mine.visit(`/datasets/${id}/explore?level=0&again`);
    const again = driver.getByRole('button', { name: 'Try again' });
    await waitUntil(async () => {
      await driver.clock.runFor(15_000);
      return (await again.count()) === PICTURES;
    });
    expect(await mine.seriousFindings()).toEqual([]);
    isAway = false;
    await again.first().click();
    await waitUntil(async () => (await drawn()) === PICTURES);
    await driver.route(/\/explore\/[^/]+\?.*page_number=0/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), total_pages: 2 } });
    });
    let isBroken = true;
    await driver.route(/\/explore\/[^/]+\?.*page_number=1/, (route) =>
      isBroken ? route.fulfill({ status: 500 }) : route.fallback(),
    );
    await mine.visit(`/datasets/${id}/explore?level=0&more`);
    await mine.tiles.first().focus();
    await driver.keyboard.press('End');
    await again.first().waitFor();
    isBroken = false;
    await driver.keyboard.press('r');
    await again.first().waitFor({ state: 'detached' });
    for (const expected of [429, 500, 'ERR_FAILED']) mine.forgive(expected);
    expect(mine.takeErrors()).toEqual([]);
    await driver.context().close();
  });

  describe('keyboard use', () => keyboardCases(() => ({ page, datasetId: id })));

  it('filters by typed VQL, and shows it as chips', async () => {
    await page.visit(`/datasets/${id}/explore`);
    await page.driver.getByRole('button', { name: 'VQL' }).click();
    const text = page.driver.getByLabel('A list of filters that must all match');
    await text.fill('{}');
    await page.driver.getByRole('button', { name: 'Apply' }).click();
    await page.see('text', /not a list of objects/);
    await text.fill('[{"files":{"op":"contains","value":"<img"}},{"uniqueness":{"op":"uniqueness","value":0}}]');
    await page.driver.getByRole('button', { name: 'Apply' }).click();
    await page.see('text', 'Uniqueness: above 0.00');
    await waitUntil(async () => (await page.tiles.count()) <= 1);
    await page.driver.getByRole('button', { name: 'Clear all' }).click();
    await page.driver.waitForURL((url) => !url.searchParams.has('vql'));
  });

  it('completes VQL, and shows errors of the service', async () => {
    await page.visit(`/datasets/${id}/explore`);
    await page.driver.getByRole('button', { name: 'VQL' }).click();
    const text = page.driver.getByLabel('A list of filters that must all match');
    await text.fill('[');
    await page.see('option', /^labels/);
    await text.pressSequentially('{"wid');
    await text.press('Enter');
    expect(await text.inputValue()).toMatch(/^\[\{"width": \{"op": "eq", "value": 0\}/);
    await text.fill('[{"width": {"op": "more", "value": 1}}]');
    await page.driver.getByRole('button', { name: 'Apply' }).click();
    await page.driver.getByRole('button', { name: /^0 › width › op Input should be one of eq/ }).click();
    expect(await page.driver.evaluate('getSelection().toString()')).toBe('"more"');
    page.forgive(422);
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('filters by size and by the name of the file', async () => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.driver.getByRole('button', { name: '4K' }).click();
    await page.see('text', 'Nothing matches');
    await page.driver.getByRole('button', { name: '4K' }).click();
    await page.seeTiles();
    await page.driver.getByLabel('Width from').fill('1');
    await page.driver.getByLabel('Width to').fill('9999');
    await page.driver.getByLabel('File name', { exact: true }).fill('7.jpg');
    await page.driver.getByLabel('File name', { exact: true }).press('Enter');
    await page.see('text', 'Width 1 px to 9,999 px');
    await page.see('text', 'File name with 7.jpg');
    await page.see('text', '2 media match');
  });

  it.each(HOSTILE_NAMES)('shows the name %j unchanged', async (name) => {
    const { clusters } = await world.ask<{ clusters: { previews: { media_id: string; file_name: string }[] }[] }>(
      `/explore/${id}?threshold=0`,
    );
    const medium = clusters.flatMap(({ previews }) => previews).find(({ file_name: each }) => each === name)!;
    await page.visit(`/datasets/${id}/explore?media=${medium.media_id}`);
    await page.see('heading', name);
  });

  it('searches by a picture, and finds similar media', async () => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    const picture = { name: 'mine.jpg', mimeType: 'image/jpeg', buffer: await pictureBytes(1) };
    await page.driver.locator('input[type=file]').setInputFiles(picture);
    await page.driver.getByRole('button', { name: 'Search by the whole picture' }).click();
    await page.driver.waitForURL(/anchor=UPLOAD/);
    await page.see('text', 'a picture of yours');
  });

  it('shows partial results while vectors are loaded, and then the rest', async () => {
    let asked = 0;
    await page.driver.route(/\/api\/v1\/explore\/[^/]+\?.*allow_partial=true/, async (route) => {
      const answer = await route.fetch();
      asked += 1;
      const partial = asked === 1 ? { partial: { searched: 65_536, total: 1_000_000 } } : {};
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...partial } });
    });
    const { clusters } = await world.ask<{ clusters: { previews: { media_id: string }[] }[] }>(`/explore/${id}`);
    await page.visit(`/datasets/${id}/explore?anchor=MEDIA:${clusters[0]!.previews[0]!.media_id}`);
    await page.see('text', /reading the vectors.* 65,536 of 1,000,000/);
    await page.driver.getByText('reading the vectors').waitFor({ state: 'hidden' });
    await page.seeTiles();
    expect(asked).toBe(2);
    await page.driver.unrouteAll({ behavior: 'wait' });
  });

  it('searches by a part of a picture, drawn with the mouse or set with the keyboard', async () => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.tiles.first().click();
    await page.driver.getByRole('button', { name: 'Search by a part' }).click();
    const picture = page.driver.getByRole('group', { name: 'The picture' });
    const { x, y, width, height } = (await picture.boundingBox())!;
    await page.driver.mouse.move(x + width * 0.1, y + height * 0.1);
    await page.driver.mouse.down();
    await page.driver.mouse.move(x + width * 0.6, y + height * 0.5);
    await page.driver.mouse.up();
    await page.see('text', 'From 10% across and 10% down, 50% wide and 40% high');
    expect(await page.seriousFindings()).toEqual([]);
    await picture.press('ArrowRight');
    await picture.press('Shift+ArrowDown');
    await page.see('text', 'From 12% across and 10% down, 50% wide and 42% high');
    const asked = page.driver.waitForRequest(/search-image-similarity/);
    await page.driver.getByRole('button', { name: 'Search by this part' }).click();
    const { width: share } = JSON.parse(new URL((await asked).url()).searchParams.get('bounding_box')!) as {
      width: number;
    };
    expect(share).toBeCloseTo(0.5, 1);
    await page.see('text', 'a part of a picture');
    await page.seeTiles();
  });

  it('tags the selected media', async () => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.seeTiles();
    await page.tiles.nth(2).click({ modifiers: ['Control'] });
    await page.driver.getByRole('button', { name: 'Tag', exact: true }).click();
    await page.driver.getByRole('dialog').getByText('1 medium of 1 cluster', { exact: true }).waitFor();
    await page.driver.getByLabel('Tag', { exact: true }).fill(MARKUP);
    await page.driver.getByRole('button', { name: 'Assign' }).click();
    await page.see('text', `1 medium of 1 cluster has the tag ${MARKUP} now.`);
    await page.driver.getByRole('checkbox', { name: MARKUP }).click();
    await waitUntil(async () => (await page.tiles.count()) === 1);
  });

  it('selects all matching media or those in a rectangle, and exports them', async () => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.seeTiles();
    await page.tiles.first().focus();
    await page.driver.keyboard.press('Control+a');
    await page.see('text', `${PICTURES} media of ${PICTURES} clusters selected`);
    await page.driver.keyboard.press('Escape');
    await page.driver.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' });
    const [first, , third] = await page.tiles.all();
    const [from, to] = [(await first!.boundingBox())!, (await third!.boundingBox())!];
    await page.driver.keyboard.down('Alt');
    await page.driver.mouse.move(from.x + 20, from.y + 20);
    await page.driver.mouse.down();
    await page.driver.mouse.move(to.x + 20, to.y + 40, { steps: 4 });
    await page.driver.mouse.up();
    await page.driver.keyboard.up('Alt');
    await page.see('text', '3 media of 3 clusters selected');
    await page.driver.getByRole('button', { name: 'Export' }).click();
    await page.driver.getByLabel('Format', { exact: true }).selectOption('CSV');
    await page.driver.getByRole('dialog').getByText('3 media of 3 clusters', { exact: true }).waitFor();
    await page.driver.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    await page.see('text', 'The export of 3 media of 3 clusters is being made.');
    const link = page.driver.getByRole('link', { name: 'Download' });
    const archive = await fetch((await link.getAttribute('href'))!);
    expect([...readZip(Buffer.from(await archive.arrayBuffer())).keys()]).toEqual([expect.stringMatching(/\.csv$/)]);
  });

  describe('the map', () => {
    mapCases(() => ({
      page,
      datasetId: id,
      pictures: PICTURES,
      openPage: (prepare) => ConsolePage.open(world.browser, world.url, prepare),
    }));
  });

  it('offers a tour, which can be dismissed permanently', async () => {
    await page.visit('/datasets');
    await page.driver.getByRole('button', { name: 'Tour' }).click();
    const tour = page.driver.getByRole('region', { name: 'Tour' });
    for (const title of ['Grouping', 'Search', 'Filters', 'Stacks']) {
      await tour.getByRole('heading', { name: title }).waitFor();
      await tour.getByRole('button', { name: 'Next' }).click();
    }
    expect(await page.seriousFindings()).toEqual([]);
    await tour.getByRole('button', { name: 'Done' }).click();
    await page.driver.reload();
    await page.seeTiles();
    expect(await tour.isVisible()).toBe(false);
  });

  describe('a new dataset', () => creationCases(() => world));
  describe('labels and folders', () => labelsCases(() => world));
  describe('annotations of sources', () => annotationsCases(() => world));
  describe('tracks and skeletons', () => tracksCases(() => world));
  describe('annotation files', () => annotationFilesCases(() => world));

  it('fits on a phone', async () => {
    await page.driver.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/datasets', `/datasets/${id}/explore`]) {
      await page.visit(path);
      await page.see(path === '/datasets' ? 'article' : 'gridcell');
      expect(await page.driver.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(await page.seriousFindings()).toEqual([]);
    }
    const query = { name: 'query.jpg', mimeType: 'image/jpeg', buffer: await pictureBytes(70) };
    await page.driver.getByRole('search').locator('input[type=file]').setInputFiles(query);
    const dialog = page.driver.getByRole('dialog');
    const box = await dialog.getByRole('button', { name: 'Search by this part' }).boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(390);
    await page.driver.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.driver.getByRole('button', { name: 'Open navigation' }).click();
    await page.driver.getByRole('link', { name: 'Datasets' }).click();
    await page.driver.waitForURL(/\/datasets$/);
    await page.driver.setViewportSize({ width: 1280, height: 800 });
  });

  describe('models, webhooks and administration', () => administrationCases(() => world));
  describe('findings of models', () => enrichmentCases(() => world));

  it('recovers after a restart of the service', async () => {
    await page.visit('/datasets');
    await page.see('link', DATASET);
    await world.home.program.stop();
    await page.driver.getByRole('link', { name: DATASET }).first().click();
    await page.see('text', /not reachable/);
    page.forgive('ERR_CONNECTION_'); // refused, or reset while the program stops
    await world.home.start();
    await page.see('text', 'The service is reachable again.');
    await page.seeTiles();
    page.forgive('ERR_CONNECTION_'); // refused, or reset while the program stops
  });
});
