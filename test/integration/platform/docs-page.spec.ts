import { isDeepStrictEqual } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, startBrowser } from '../../support/browser';
import { startTestApp, type TestApp } from '../../support/test-app';
import { waitUntil } from '../../support/wait-until';

describeInBrowser('the page of the API description', () => {
  let running: TestApp;
  let browser: Browser;
  let page: Page;
  const elsewhere: string[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    running = await startTestApp();
    browser = await startBrowser();
    page = await browser.newPage();
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(running.url) && !url.startsWith('data:')) elsewhere.push(url);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${running.url}/api/v1/docs`);
    await page.waitForSelector('.opblock-tag-section');
  });

  afterAll(async () => {
    await browser.close();
    await running.close();
  });

  const search = async (words: string): Promise<void> => {
    await page.fill('.operation-filter-input', words);
    // An operation is visible once its group is open.
    for (const group of await page.$$('.opblock-tag-section:not(.is-open) .opblock-tag')) await group.click();
  };
  const shown = (): Promise<string[]> =>
    page.evaluate("Array.from(document.querySelectorAll('.opblock'), ({ id }) => id.split('-').at(-1))");

  it.each([
    ['webhook deliveries', ['webhookDelete', 'webhookListDeliveries']],
    ['POST assign', ['tagAssign', 'tagUnassign']],
    ['creationstatus', ['datasetCreationStatus']],
    ['no such words', []],
  ])('finds operations by the words "%s"', async (words, ids) => {
    await search(words);
    await waitUntil(async () => isDeepStrictEqual(await shown(), ids));
  });

  it('shows the examples of an operation', async () => {
    await search('tagCreate');
    await page.click('.opblock-summary-control');
    await page.waitForSelector('.opblock-body .highlight-code');
    expect(await page.textContent('.opblock-body')).toContain('"Checked"');
  });

  it('sends no request to other servers, and violates no content security policy', () => {
    expect({ elsewhere, errors }).toEqual({ elsewhere: [], errors: [] });
  });
});
