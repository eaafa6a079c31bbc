import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';
import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { waitUntil } from '../support/wait-until';

const MARKUP = '<img src=x onerror=alert(1)>';
const DATASET = `${MARKUP} أسماك`;
/** One more than fits on a page. */
const PICTURES = 21;
const CAPTION = `${MARKUP} written by people`;
const MODELS = {
  CAPTION_IMAGES: 'drawn-world_captioner_v00',
  IMAGE_TAGGING: 'drawn-world_tagger_v00',
  OBJECT_DETECTION: 'drawn-world_detector_v00',
};

const fileName = (at: number): string => `${MARKUP} ${at}.jpg`;

/** Findings of models compared with the state before, as part of the console tests. */
export function enrichmentCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let source: string;
  let copy: string;

  const send = <Body>(path: string, body: object): Promise<Body> =>
    world().ask<Body>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const enrich = async (id: string, models: object, query = ''): Promise<string> => {
    const made = await send<{ dataset_id: string }>(`/dataset/${id}/enrich_dataset${query}`, {
      enrichment_models: models,
    });
    await world().untilStatus(made.dataset_id, 'READY');
    return made.dataset_id;
  };
  const rows = () => page.driver.getByRole('list', { name: /^Pictures with/ }).getByRole('listitem');
  const address = () => new URL(page.driver.url());

  beforeAll(async () => {
    ({ page } = world());
    const folder = world().folder('scenes');
    await mkdir(folder, { recursive: true });
    const family = SAMPLE_FAMILIES.find(({ name }) => name === 'fish')!;
    for (let at = 0; at < PICTURES; at += 1) {
      const picture = await renderPicture(family.draw(new SeededRandom(`scene ${at}`)), 'none', '.jpg', `${at}`);
      await writeFile(join(folder, fileName(at)), picture);
    }
    const described = `filename,label,caption\n${fileName(0)},kept,${CAPTION}\n`;
    await writeFile(join(folder, 'image_annotations.csv'), described);
    source = await world().indexedDataset(DATASET, folder);
    copy = await enrich(source, MODELS);
  });

  it('links from the finished task to the findings', async () => {
    await page.visit(`/datasets/${source}/tasks`);
    await page.driver.getByRole('link', { name: 'See what models found' }).click();
    await page.driver.getByRole('link', { name: 'What models found', exact: true }).click();
    await page.driver.waitForURL(({ pathname }) => pathname === `/datasets/${copy}/enrich/findings`);
    await page.see('text', `${PICTURES} of ${PICTURES} pictures`);
    await rows().first().waitFor();
    expect(await rows().count()).toBe(PICTURES - 1);
  });

  it('shows the state of each picture before, and the changes', async () => {
    const row = (at: number) => rows().filter({ has: page.driver.getByRole('heading', { name: fileName(at) }) });
    const others = row(1);
    await others.getByText('by drawn-world_captioner_v00').waitFor();
    await others.getByText('(new)').first().waitFor();
    // Annotations by people remain on both sides.
    const own = row(0);
    expect(await own.getByText(CAPTION).count()).toBe(2);
    expect(await own.getByText('by a model').count()).toBe(1);
    expect(await own.getByText(/^kept/).count()).toBe(2);
    expect(await rows().getByText('(gone)').count()).toBe(0);
    await page.see('link', DATASET);
    expect(await page.seriousFindings()).toEqual([]);
  });

  /** The address changes shortly before the selected choice. */
  const chooseNext = async (name: string, inAddress: RegExp): Promise<void> => {
    await page.driver.keyboard.press('ArrowRight');
    await page.driver.waitForURL(inAddress);
    const choice = page.driver.getByRole('radio', { name: new RegExp(`^${name}`), checked: true });
    await choice.waitFor({ state: 'attached' });
  };

  it('can be navigated by keyboard, and is stored in the address', async () => {
    await page.driver.getByRole('radio', { name: /^Captions/ }).focus();
    await chooseNext('Labels', /show=labels/);
    await chooseNext('Objects', /show=objects/);
    await rows().first().getByText(/^fish/).first().waitFor();
    await chooseNext('Text', /show=text/);
    await chooseNext('Captions', /show=captions/);
    await page.driver.getByRole('button', { name: 'Next page' }).press('Enter');
    await page.driver.waitForURL(/page=1/);
    await page.see('text', `${PICTURES} of ${PICTURES}`);
    await waitUntil(async () => (await rows().count()) === 1);
    await page.driver.reload();
    await rows().first().waitFor();
    expect(await rows().count()).toBe(1);
  });

  it('opens the details of both states', async () => {
    const title = page.driver.getByRole('dialog').getByRole('heading', { level: 2 });
    const name = await rows().first().getByRole('heading', { level: 2 }).textContent();
    await page.driver.getByRole('button', { name: `Details of ${name!}, before` }).click();
    await title.getByText(name!).waitFor();
    expect(address().searchParams.get('of')).toBe('before');
    await page.see('dialog');
    expect(await page.driver.getByRole('dialog').getByText('drawn-world_captioner_v00').count()).toBe(0);
    await page.driver.keyboard.press('Escape');
    await page.driver
      .getByRole('button', { name: `Details of ${name!}, now` })
      .first()
      .click();
    await page.driver.getByRole('dialog').getByText('drawn-world_captioner_v00').first().waitFor();
    expect(address().searchParams.get('of')).toBeNull();
    await page.driver.keyboard.press('Escape');
  });

  it('compares with the snapshot taken before models were applied in place', async () => {
    await enrich(source, { IMAGE_TAGGING: MODELS.IMAGE_TAGGING }, '?in_place=true');
    await page.visit(`/datasets/${source}/enrich/findings`);
    await page.see('text', /^Before:.*drawn-world_tagger_v00/);
    await rows().first().getByText('(new)').first().waitFor();
    await page.driver.getByRole('radio', { name: /^Objects/ }).click({ force: true });
    await page.see('heading', 'No objects');
    await page.visit(`/datasets/${copy}/enrich/findings?show=labels`);
    await rows().first().waitFor();
    // The source now has the labels too, but not the captions and objects.
    const news = () => rows().first().locator('[data-change=added]').allTextContents();
    await waitUntil(async () => (await news()).length > 0);
    expect((await news()).filter((text) => text.startsWith('underwater'))).toEqual([]);
  });

  it('fits on a phone', async () => {
    await page.driver.setViewportSize({ width: 390, height: 844 });
    await page.visit(`/datasets/${copy}/enrich/findings?show=objects`);
    await rows().first().waitFor();
    expect(await page.driver.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.setViewportSize({ width: 1280, height: 800 });
  });

  it('creates captions for search by meaning, best first, above a minimum similarity', async () => {
    const likenesses = async (): Promise<number[]> =>
      (await page.tiles.getByTitle(/alike$/).allTextContents()).map(parseFloat);
    await page.visit(`/datasets/${copy}/explore`);
    const search = page.driver.getByRole('search');
    await search.getByText('Meaning').click();
    await search.getByLabel('Search', { exact: true }).fill('two fish');
    await page.driver.keyboard.press('Enter');
    await page.driver.waitForURL(/semantic/);
    await waitUntil(async () => (await likenesses()).length > 0);
    const found = await likenesses();
    expect(found).toEqual([...found].sort((one, other) => other - one));
    expect(found).toHaveLength(await page.tiles.count());
    expect(await page.driver.getByLabel('Grouping').inputValue()).toBe('0');
    expect(await page.seriousFindings()).toEqual([]);
    const least = page.driver.getByRole('slider', { name: /^At least/ });
    const cut = 5 * Math.ceil(found[0]! / 5) - 5;
    await least.fill(String(cut));
    await page.see('text', `${cut} % alike`);
    await waitUntil(async () => (await page.tiles.count()) < found.length);
    expect(Math.min(...(await likenesses()))).toBeGreaterThanOrEqual(cut);
    await least.press('End');
    await page.see('heading', 'Nothing is 95 % alike');
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('button', { name: 'Show what comes nearest' }).click();
    await waitUntil(async () => (await likenesses()).length > found.length);
  });

  it('explains that there is nothing to compare after the source was deleted, or without models', async () => {
    const plain = await world().indexedDataset('Plain', world().folder('scenes'));
    await page.visit(`/datasets/${plain}/enrich/findings`);
    await page.see('heading', 'Models found nothing here');
    await world().ask(`/dataset/${source}`, { method: 'DELETE' });
    await page.visit(`/datasets/${copy}/enrich/findings`);
    await page.see('text', /was deleted or is not shared with you/);
    await rows().first().getByText('by drawn-world_captioner_v00').waitFor();
    expect(
      await rows()
        .first()
        .getByRole('button', { name: /, before$/ })
        .count(),
    ).toBe(0);
    expect(await page.seriousFindings()).toEqual([]);
  });
}
