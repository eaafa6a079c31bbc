// Writes screenshots of the pages of the console into docs/console, light and dark, on a screen and on a phone. Starts the built program with the
// sample dataset, or uses the console at CONSOLE_URL. Arguments select pages by name. Those of photographs fetch packages of Debian, PyPI and npm.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { workWith } from './console-example.mjs';
import { PAGES_OF_PHOTOGRAPHS, photographs } from './console-photographs.mjs';
import { build, install, programFlags, root } from './toolchain.mjs';

const out = process.env.OUT ?? join(root, 'docs', 'console');
const PORT = 3390;
/** The width of the files; small, because they are in the repository. */
const WIDTH = 960;
const SCREENS = {
  screen: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
};

const STILL_MS = 250;
/** Some dialogs wait for an on-screen keyboard, which does not appear here. */
const STILL_ON_PHONE_MS = 1000;

const boats = (id) =>
  `/datasets/${id}/explore?vql=${encodeURIComponent('[{"labels":{"op":"one_of","value":["boat"]}}]')}&level=0`;

async function openDetails(page) {
  await page.getByRole('gridcell').nth(2).click();
  await page.waitForURL(/clusters|media=/);
  if (/clusters/.test(page.url())) {
    await page.locator('[role=gridcell] img').first().waitFor();
    await page.getByRole('gridcell').first().click();
  }
  await page.getByText('Most similar').waitFor();
}

const openEvaluation = (part) => async (page) => {
  await page.getByRole('link', { name: 'detector-a, week 48' }).click();
  await page.getByRole('heading', { name: 'Figures' }).waitFor();
  if (part === undefined) return;
  await page.getByRole('radio', { name: part }).press(' ');
  await page.getByRole('radio', { name: part, checked: true }).waitFor();
  await page.waitForLoadState('networkidle');
};

/** Pages of the unchanged sample dataset: their address, and the actions before the screenshot. */
const PAGES = {
  create: {
    path: () => '/datasets',
    act: (page) => page.getByRole('button', { name: 'New dataset' }).first().click(),
  },
  'create-files': {
    path: () => '/datasets',
    act: async (page) => {
      await page.getByRole('button', { name: 'New dataset' }).first().click();
      await page.getByText('Files of this computer').click();
    },
  },
  'add-media': {
    path: (id) => `/datasets/${id}/explore`,
    act: async (page) => {
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Add media' }).click();
      await page.getByText('Files', { exact: true }).click();
    },
  },
  annotate: {
    path: (id) => `/datasets/${id}/explore`,
    act: async (page) => {
      await page.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Add annotations' }).click();
    },
  },
  quarantine: {
    path: () => '/datasets',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click();
      await page.getByRole('menuitem', { name: 'Unreadable files' }).click();
      await page.getByRole('table').waitFor();
    },
  },
  explore: { path: (id) => `/datasets/${id}/explore` },
  filtered: {
    path: (id) =>
      `/datasets/${id}/explore?level=1&vql=${encodeURIComponent('[{"labels":{"op":"one_of","value":["boat","fish"]}}]')}`,
  },
  objects: { path: (id) => `/datasets/${id}/explore?type=OBJECTS&level=2` },
  selection: {
    path: (id) => `/datasets/${id}/explore?level=2`,
    act: async (page) => {
      const cells = page.getByRole('gridcell');
      await cells.nth(1).click({ modifiers: ['Control'] });
      await cells.nth(4).click({ modifiers: ['Shift'] });
    },
  },
  map: { path: (id) => `/datasets/${id}/map?colour=label` },
  'map-pictures': { path: (id) => `/datasets/${id}/map?colour=label&view=0.5,0.45,1.6` },
  'map-area': {
    path: (id) => {
      const corners = [
        [0, 0.5],
        [0.12, 0.34],
        [0.2, 0.35],
        [0.22, 0.66],
        [0.1, 0.77],
        [0.03, 0.75],
        [0, 0.6],
      ];
      const vql = [{ map_area: { op: 'in', value: corners } }];
      return `/datasets/${id}/map?colour=label&vql=${encodeURIComponent(JSON.stringify(vql))}`;
    },
  },
  cluster: {
    path: (id) =>
      `/datasets/${id}/explore?vql=${encodeURIComponent('[{"labels":{"op":"one_of","value":["balloon"]}}]')}`,
    act: async (page) => {
      await page.getByRole('gridcell').first().click();
      await page.waitForURL(/clusters/);
      await page.locator('[role=gridcell] img').first().waitFor();
    },
  },
  detail: {
    path: (id) => boats(id),
    act: openDetails,
  },
  edit: {
    path: (id) => boats(id),
    act: async (page) => {
      await openDetails(page);
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('button', { name: 'Box (B)' }).click();
      const { x, y, width, height } = await page.getByRole('group', { name: /to draw on/ }).boundingBox();
      await page.mouse.move(x + 0.64 * width, y + 0.26 * height);
      await page.mouse.down();
      await page.mouse.move(x + 0.99 * width, y + 0.71 * height, { steps: 4 });
      // Without a label, the box is not stored.
      await page.mouse.up();
    },
  },
  vql: {
    path: (id) => `/datasets/${id}/explore?vql=${encodeURIComponent('[{"issues":{"op":"issue","value":["blur"]}}]')}`,
    act: (page) => page.getByRole('button', { name: 'VQL' }).click(),
  },
  missing: { path: () => '/nowhere' },
  // The browser stores the tile settings, so this page must be the last one.
  tiles: {
    path: (id) => `/datasets/${id}/explore?level=1&sort=-outliers`,
    act: async (page) => {
      await page.getByRole('slider', { name: 'Size of the tiles' }).fill('3');
      await page.getByRole('button', { name: 'Show on tiles' }).click();
      for (const fact of ['Labels', 'Caption', 'Uniqueness']) await page.getByRole('dialog').getByLabel(fact).click();
    },
  },
};

/** Pages with content only after the dataset was changed. */
const PAGES_AFTER_WORK = {
  datasets: { path: () => '/datasets' },
  duplicates: { path: (id) => `/datasets/${id}/duplicates?similarity=0.9` },
  compare: {
    path: (id) => `/datasets/${id}/duplicates?similarity=0.9`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Compare' }).first().click();
      await page.getByRole('radio', { name: 'Swipe' }).check({ force: true });
    },
  },
  acceptAll: {
    path: (id) => `/datasets/${id}/duplicates?similarity=0.9&rule=sharpest`,
    act: (page) => page.getByRole('button', { name: 'Accept all' }).click(),
  },
  decided: { path: (id) => `/datasets/${id}/duplicates?tab=decided` },
  review: { path: (id) => `/datasets/${id}/review` },
  queue: {
    path: (id) => `/datasets/${id}/review`,
    act: async (page) => {
      await page.getByRole('link', { name: 'Boats or balloons' }).click();
      await page.getByRole('complementary', { name: 'Question' }).waitFor();
    },
  },
  quality: { path: (id) => `/datasets/${id}/quality` },
  evaluate: { path: (id) => `/datasets/${id}/evaluate` },
  evaluation: { path: (id) => `/datasets/${id}/evaluate`, act: openEvaluation() },
  confusion: { path: (id) => `/datasets/${id}/evaluate`, act: openEvaluation('Confusion') },
  slices: { path: (id) => `/datasets/${id}/evaluate`, act: openEvaluation('Slices') },
  outcomes: {
    path: (id) => `/datasets/${id}/evaluate`,
    act: async (page) => {
      await openEvaluation('Confusion')(page);
      await page
        .getByRole('gridcell', { name: /taken for/ })
        .first()
        .click();
      await page.locator('[role=gridcell] img').first().click();
      await page.getByRole('group', { name: 'Outcomes' }).waitFor();
    },
  },
  views: { path: (id) => `/datasets/${id}/views` },
  history: { path: (id) => `/datasets/${id}/history` },
  restore: {
    path: (id) => `/datasets/${id}/history`,
    act: (page) => page.getByRole('button', { name: 'Restore As delivered' }).click(),
  },
  tasks: { path: () => '/tasks' },
  notifications: { path: () => '/notifications' },
  enrich: {
    path: (id) => `/datasets/${id}/enrich`,
    act: async (page) => {
      const captions = page.getByRole('radiogroup', { name: 'Captions', exact: true });
      await captions.getByRole('radio').nth(1).check();
    },
  },
  findings: { path: async (id) => `/datasets/${await enrichedCopy(id)}/enrich/findings?show=objects` },
  settings: { path: () => '/admin/settings' },
};

async function startProgram() {
  const dataDir = mkdtempSync(join(tmpdir(), 'dms-console-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(PORT) };
  const child = spawn('node', [...programFlags, 'dist/main.js'], { cwd: root, env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${PORT}`;
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url, stop };
}

const MODELS = {
  CAPTION_IMAGES: 'drawn-world_captioner_v00',
  IMAGE_TAGGING: 'drawn-world_tagger_v00',
  OBJECT_DETECTION: 'drawn-world_detector_v00',
};
let copy;

/** The id of a copy with the results of the built-in models, created on first use. */
const enrichedCopy = (id) => (copy ??= enrich(id));

async function enrich(id) {
  const response = await fetch(`${url}/api/v1/dataset/${id}/enrich_dataset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ enrichment_models: MODELS }),
  });
  const { dataset_id: made } = await response.json();
  return readyDataset(url, (dataset) => dataset.id === made);
}

/** The id of the oldest matching dataset, once it is ready. */
async function readyDataset(url, fits = () => true) {
  for (;;) {
    const datasets = await fetch(`${url}/api/v1/datasets`).then(
      (response) => response.json(),
      () => [],
    );
    const dataset = datasets.findLast(fits);
    if (dataset?.status_new === 'READY') return dataset.id;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function settle(page) {
  // On a busy machine, the network is idle before the page has sent its first request.
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  // `waitForFunction` would evaluate it in the page, which the content security policy forbids. Images outside the viewport are not loaded.
  const isLoaded = `Array.from(document.images).every((image) => {
    const { top, left } = image.getBoundingClientRect();
    return image.complete || top > innerHeight || left > innerWidth;
  })`;
  while (!(await page.evaluate(isLoaded))) await page.waitForTimeout(50);
  await page.waitForTimeout(page.viewportSize().width < SCREENS.screen.width ? STILL_ON_PHONE_MS : STILL_MS);
}

/** Photographs have more colours than a palette. */
async function write(name, picture, hasPhotographs) {
  const small = sharp(picture).resize({ width: WIDTH, withoutEnlargement: true });
  if (hasPhotographs) await small.webp({ quality: 80 }).toFile(join(out, `${name}.webp`));
  else await small.png({ palette: true, colours: 64, compressionLevel: 9 }).toFile(join(out, `${name}.png`));
}

async function takePictures(pages, id) {
  for (const [screen, viewport] of Object.entries(SCREENS))
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({
        viewport,
        colorScheme,
        reducedMotion: 'reduce',
        hasTouch: screen === 'phone',
      });
      await context.addInitScript("localStorage.setItem('dms.tour', 'done')");
      // The stream never ends, so the network would never be idle.
      await context.route('**/api/v1/notifications/stream', (route) => route.fulfill({ status: 204 }));
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') console.error(`${page.url()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => console.error(`${page.url()}: ${error.message}`));
      for (const [name, { path, act }] of Object.entries(pages)) {
        if (!isChosen(name)) continue;
        await page.goto(`${url}${await path(id)}`);
        await settle(page);
        try {
          await act?.(page);
          await settle(page);
        } catch (error) {
          console.error(`${name} (${screen}, ${colorScheme}): ${error.message.split('\n')[0]}`);
        }
        await write(`${name}-${screen}-${colorScheme}`, await page.screenshot(), pages === PAGES_OF_PHOTOGRAPHS);
      }
      await context.close();
    }
}

const chosen = process.argv.slice(2);
const isChosen = (name) => chosen.length === 0 || chosen.includes(name);
const started = process.env.CONSOLE_URL === undefined;
if (started) {
  await install();
  await build();
}
const { url, stop } = started ? await startProgram() : { url: process.env.CONSOLE_URL, stop: () => undefined };
const browser = await chromium.launch({
  executablePath: process.env.TEST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
mkdirSync(out, { recursive: true });
const isAnyChosen = (pages) => Object.keys(pages).some(isChosen);
if (isAnyChosen(PAGES) || isAnyChosen(PAGES_AFTER_WORK)) {
  const id = await readyDataset(url);
  await takePictures(PAGES, id);
  if (started && isAnyChosen(PAGES_AFTER_WORK)) await workWith(url, id);
  await takePictures(PAGES_AFTER_WORK, id);
}
if (isAnyChosen(PAGES_OF_PHOTOGRAPHS)) await takePictures(PAGES_OF_PHOTOGRAPHS, await photographs(url, readyDataset));
await browser.close();
await stop();
