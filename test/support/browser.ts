import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Chromium without the code for windows, which takes a third less processor time. */
const SHELL = '/usr/bin/chromium-headless-shell';

const foundAt = (places: readonly string[]): string | undefined =>
  process.env['TEST_CHROMIUM'] ?? places.find((place) => existsSync(place));

const path = foundAt([SHELL, ...WHOLE]);

export const hasBrowser = path !== undefined;

/** Runs the cases only if a browser is installed. Not stored in a constant, because each test file has its own `describe`. */
export const describeInBrowser = (name: string, cases: () => void): void =>
  (hasBrowser ? describe : describe.skip)(name, cases);

export const startBrowser = (switches: readonly string[] = []): Promise<Browser> => start(path, switches);

/** The browser in the mode that users have, for measurements. */
export const startWholeBrowser = (): Promise<Browser> => start(foundAt(WHOLE));

async function start(executablePath: string | undefined, switches: readonly string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no Chromium: install it, or name it by TEST_CHROMIUM.');
  // The sandbox needs rights that a container may lack.
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...switches] });
}
