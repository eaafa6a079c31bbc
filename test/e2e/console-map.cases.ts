import sharp from 'sharp';
import type { ConsolePage } from '../support/console-page';
import { waitUntil } from '../support/wait-until';

/** The context of the surrounding test. */
export interface MapWorld {
  readonly page: ConsolePage;
  readonly datasetId: string;
  readonly pictures: number;
  /** Opens another page in the same browser, after running `prepare` in it. */
  readonly openPage: (prepare: string) => Promise<ConsolePage>;
}

const WITHOUT_WEBGL = `const { getContext } = HTMLCanvasElement.prototype;
HTMLCanvasElement.prototype.getContext = function (type, ...rest) {
  return type === 'webgl2' ? null : getContext.call(this, type, ...rest);
};`;

const CANVAS = /^Map of the dataset/;

/** The number of coloured pixels in the middle of the map. */
async function colouredPixels({ driver }: ConsolePage): Promise<number> {
  const { x, y, width, height } = (await driver.locator('canvas').boundingBox())!;
  const clip = { x: x + width * 0.1, y: y + height * 0.05, width: width * 0.65, height: height * 0.9 };
  const { data, info } = await sharp(await driver.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let coloured = 0;
  for (let at = 0; at < data.length; at += info.channels) {
    const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) coloured += 1;
  }
  return coloured;
}

/** The map of a small dataset, as part of the console tests. */
export function mapCases(world: () => MapWorld): void {
  const visit = async (search = ''): Promise<ConsolePage> => {
    const { page, datasetId } = world();
    await page.visit(`/datasets/${datasetId}/map${search}`);
    await page.see('application', CANVAS);
    return page;
  };
  const pictures = ({ driver }: ConsolePage) => driver.getByRole('button', { name: /^Details of/ });

  it('shows all media as points, and pictures if there are few', async () => {
    const page = await visit();
    await pictures(page).first().waitFor();
    await page.see('text', `${world().pictures} points, coloured by cluster.`);
    // Pictures are hidden while an area is drawn.
    await page.driver.keyboard.press('l');
    await page.see('text', /^Draw around media/);
    await waitUntil(async () => (await colouredPixels(page)) > 100);
    await page.driver.keyboard.press('Escape');
    await pictures(page).first().waitFor();
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('opens the details of a picture', async () => {
    const page = await visit();
    await page.driver.route(/\/dataset\/[^/]+\/media\/[^/]+$/, async (route) => {
      const answer = await route.fetch();
      const issues = [{ issue: 'mislabels', confidence: 0.9, issues_description: 'boat' }];
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), issues } });
    });
    await pictures(page).first().click();
    await page.see('dialog', 'Details');
    await page.see('text', 'Neighbours say boat');
    await page.driver.unrouteAll({ behavior: 'wait' });
    await page.driver.keyboard.press('Escape');
    await page.driver.waitForURL((url) => !url.searchParams.has('media'));
  });

  it('can be coloured by labels or batches, and filtered by an entry of the legend', async () => {
    const page = await visit();
    await page.driver.getByLabel('Colour by').selectOption({ label: 'Colour by: Label' });
    await page.see('button', 'Without label');
    await page.driver.waitForURL(/colour=label/);
    await page.driver.getByLabel('Colour by').selectOption({ label: 'Colour by: Batch' });
    const batch = /^Batch \w{8} ?\d+$/;
    await page.driver.getByRole('button', { name: batch }).click();
    await page.driver.waitForURL(/vql=.*batch/);
    await page.driver.getByRole('button', { name: batch, pressed: true }).waitFor();
    await page.see('text', `${world().pictures} of ${world().pictures} match`);
    await page.driver.getByRole('button', { name: 'Show filters' }).click();
    await page.driver.getByLabel('File name', { exact: true }).fill('7.jpg');
    await page.driver.getByLabel('File name', { exact: true }).press('Enter');
    await page.see('text', `2 of ${world().pictures} match`);
    // Shortcuts of the map are not active in text fields.
    await page.driver.getByRole('searchbox', { name: 'Search' }).fill('lo+0');
    await page.driver.getByRole('searchbox', { name: 'Search' }).press('Enter');
    await page.see('text', 'Words: lo+0');
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('filters by a drawn area, also in Explore and for tags', async () => {
    const page = await visit();
    const { x, y, width, height } = (await page.driver.locator('canvas').boundingBox())!;
    await page.driver.getByRole('button', { name: 'Draw an area' }).click();
    const corners = [
      [0, 0],
      [0.5, 0],
      [0.5, 1],
      [0, 1],
      [0, 0.1],
    ] as const;
    await page.driver.mouse.move(x + 2, y + 2);
    await page.driver.mouse.down();
    for (const [across, down] of corners)
      await page.driver.mouse.move(x + 4 + (width - 8) * across, y + 4 + (height - 8) * down, { steps: 5 });
    await page.driver.mouse.up();
    await page.see('text', 'Area of the map');
    const bar = page.driver.getByRole('region', { name: 'What matches' });
    await page.see('text', /^\d+ of \d+ match$/);
    const [, matching] = /^(\d+) of/.exec((await bar.textContent())!)!;
    expect(Number(matching)).toBeGreaterThan(0);
    expect(Number(matching)).toBeLessThan(world().pictures);
    expect(await page.seriousFindings()).toEqual([]);
    await bar.getByRole('button', { name: 'Tag' }).click();
    await page.driver.getByLabel('Tag', { exact: true }).fill('left');
    await page.driver.getByRole('button', { name: 'Assign' }).click();
    await page.see('text', new RegExp(`^${matching!} (medium has|media have) the tag left now`));
    await bar.getByRole('button', { name: 'Open in Explore' }).click();
    await page.see('text', `${matching!} media match`);
    await page.see('text', 'Area of the map');
    await page.driver.getByRole('button', { name: 'Show on the map' }).click();
    await page.see('text', `${matching!} of ${world().pictures} match`);
  });

  it('zooms with the wheel at the pointer', async () => {
    const page = await visit();
    const { x, y, width, height } = (await page.driver.locator('canvas').boundingBox())!;
    await pictures(page).first().waitFor();
    await page.driver.mouse.move(x + width / 2, y + height / 2);
    await page.driver.mouse.wheel(0, -400);
    await page.driver.mouse.wheel(0, -400);
    await page.driver.waitForURL((url) => url.searchParams.get('view')?.endsWith(',2.54') === true);
  });

  it('can be used with the keyboard only', async () => {
    const page = await visit();
    await pictures(page).first().waitFor();
    const { keyboard } = page.driver;
    await page.driver.locator('canvas').focus();
    await keyboard.press('+');
    await keyboard.press('ArrowLeft');
    await page.driver.waitForURL(/view=/);
    await keyboard.press('0');
    await page.driver.waitForURL((url) => !url.searchParams.has('view'));
    await keyboard.press('Shift+ArrowRight');
    await page.see('text', /^Arrows move the rectangle/);
    await keyboard.press('Escape');
    for (let step = 0; step < 30; step += 1) await keyboard.press('Shift+ArrowRight');
    for (let step = 0; step < 30; step += 1) await keyboard.press('Shift+ArrowDown');
    for (let step = 0; step < 20; step += 1) await keyboard.press('ArrowLeft');
    for (let step = 0; step < 20; step += 1) await keyboard.press('ArrowUp');
    await keyboard.press('Enter');
    await page.see('text', 'Area of the map');
    await page.driver.goBack();
    await page.driver.waitForURL((url) => !url.searchParams.has('vql'));
    await pictures(page).first().focus();
    await keyboard.press('Enter');
    await page.see('dialog', 'Details');
  });

  it('draws again after a lost WebGL context', async () => {
    const page = await visit();
    await pictures(page).first().waitFor();
    await page.driver.keyboard.press('l');
    await page.driver.evaluate(`(() => {
      const gl = document.querySelector('canvas').getContext('webgl2');
      window.card = gl.getExtension('WEBGL_lose_context');
      window.card.loseContext();
    })()`);
    await waitUntil(async () => (await colouredPixels(page)) === 0);
    await page.driver.evaluate('window.card.restoreContext()');
    await waitUntil(async () => (await colouredPixels(page)) > 100);
  });

  it('draws without WebGL, and reports it', async () => {
    const page = await world().openPage(WITHOUT_WEBGL);
    await page.visit(`/datasets/${world().datasetId}/map`);
    await page.see('text', /draws without WebGL/);
    await page.driver.keyboard.press('l');
    await waitUntil(async () => (await colouredPixels(page)) > 100);
    expect(page.takeErrors()).toEqual([]);
    await page.driver.context().close();
  });

  it('is empty if the filters in the address are invalid, like Explore, until they are removed', async () => {
    const { page, datasetId } = world();
    for (const place of ['map', 'explore']) {
      await page.visit(`/datasets/${datasetId}/${place}?vql=%5B%7B%22labels%22`);
      await page.see('text', /JSON list of filters/);
      expect(await page.tiles.count()).toBe(0);
    }
    expect(await page.seriousFindings()).toEqual([]);
    await page.visit(`/datasets/${datasetId}/explore?vql=%7B%7D`);
    await page.see('text', /list of filters/);
    page.forgive(422);
    await page.driver.getByRole('button', { name: 'Remove the filter Unreadable filters' }).click();
    await page.seeTiles();
    expect(page.driver.url()).not.toContain('vql');
  });

  it('fits on a phone', async () => {
    const { page } = world();
    await page.driver.setViewportSize({ width: 390, height: 844 });
    await visit('?colour=batch');
    await page.see('button', 'Show the legend');
    expect(await page.driver.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.setViewportSize({ width: 1280, height: 800 });
  });
}
