import type { Page } from 'playwright-core';
import type { Act, Contender } from './contender';
import type { FiftyOneApp } from './fiftyone-app';

const TILES = `() => [...document.querySelectorAll('[data-cy=looker]')].map((element) => ({
  element,
  name: element.querySelector('[data-cy=tag-name]')?.textContent ?? '',
  isDrawn: element.querySelector('canvas')?.getAttribute('canvas-loaded') === 'true',
}))`;

const at = (name: string): string => `[data-cy="${name}"]`;

async function prepareFilter(page: Page, label: string): Promise<Act> {
  await page.click(at('sidebar-field-arrow-enabled-ground_truth'));
  await page.click(at('selector-sidebar-search-ground_truth.label'));
  const values = page.locator(at('selector-results-container-sidebar-search-ground_truth.label'));
  const value = values.getByText(label, { exact: true });
  await value.waitFor();
  return async () => {
    await value.click();
    return undefined;
  };
}

/** Uses the Python session, which takes one step. The App's button lists the search in a panel, where another press opens the result. */
const prepareSession =
  (app: FiftyOneApp) =>
  (_: Page, name: string): Promise<Act> =>
    Promise.resolve(() => {
      app.sortBy(name);
      return Promise.resolve(performance.timeOrigin + performance.now());
    });

export const fiftyOneContender = (app: FiftyOneApp): Contender => ({
  name: `FiftyOne ${app.version}`,
  address: `${app.url}/datasets/pictures`,
  tiles: TILES,
  stored: { 'fiftyone-enterprise-tooltip-seen': 'true' },
  prepareFilter,
  showAll: () => app.showAll(),
  prepareSimilarity: prepareSession(app),
});
