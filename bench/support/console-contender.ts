import type { Page } from 'playwright-core';
import type { Act, Contender } from './contender';

const TILES = `() => [...document.querySelectorAll('[role=gridcell]')].map((element) => {
  const image = element.querySelector('img');
  return {
    element,
    name: image === null ? '' : (/[0-9]{6}[.]jpg/.exec(image.alt) ?? [''])[0],
    isDrawn: image !== null && image.complete && image.naturalWidth > 0,
  };
})`;

async function prepareFilter(page: Page, label: string): Promise<Act> {
  const box = page.getByRole('checkbox', { name: new RegExp(`^${label}`) });
  await box.waitFor();
  return async () => {
    await box.click();
    return undefined;
  };
}

async function prepareSimilarity(page: Page, name: string): Promise<Act> {
  const tile = page.getByRole('gridcell').filter({ has: page.getByAltText(new RegExp(name)) });
  await tile.hover();
  const button = tile.getByRole('button', { name: /similar/i });
  await button.waitFor();
  return async () => {
    await button.click();
    return undefined;
  };
}

async function pictureSortedBy(page: Page): Promise<string> {
  const chip = await page.getByText(/^Similar to .*[.]jpg$/).innerText();
  return /[0-9]{6}[.]jpg/.exec(chip)![0];
}

/** Explore in the console, with a separate tile for every picture. */
export const consoleContender = (url: string, datasetId: string): Contender => ({
  name: 'console',
  address: `${url}/datasets/${datasetId}/explore?level=0`,
  tiles: TILES,
  stored: { 'dms.tour': 'done' },
  prepareFilter,
  showAll: () => undefined,
  prepareSimilarity,
  pictureSortedBy,
});
