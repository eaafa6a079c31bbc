import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Without what only windows need: a third less processor time. */
const SHELL = '/usr/bin/chromium-headless-shell';

const foundAt = (places: readonly string[]): string | undefined =>
  process.env['TEST_CHROMIUM'] ?? places.find((place) => existsSync(place));

const path = foundAt([SHELL, ...WHOLE]);

export const hasBrowser = path !== undefined;

/** Only where there is a browser. Each test file has a `describe` of its own, so that it must not be kept. */
export const describeInBrowser = (name: string, cases: () => void): void =>
  (hasBrowser ? describe : describe.skip)(name, cases);

export const startBrowser = (switches: readonly string[] = []): Promise<Browser> => start(path, switches);

/** As people use it, to measure what they see. */
export const startWholeBrowser = (): Promise<Browser> => start(foundAt(WHOLE));

async function start(executablePath: string | undefined, switches: readonly string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no Chromium: install it, or name it by TEST_CHROMIUM.');
  // The sandbox needs rights that a container may lack.
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...switches] });
}
