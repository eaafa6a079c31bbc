import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../test/support/browser';
import type { Bench, Report } from './bench';
import { ask, makeDataset } from './support/made-dataset';
import { inProgram, type ProgramInProcess } from './support/program-in-process';

/** Of media that are selected, with the time that labelling them may take. */
const SELECTIONS = [
  { media: 1_000, most: 3 },
  { media: 10_000, most: 20 },
];
const LABEL = 'harbour';
/** How many are changed together. */
const BATCH = 2_000;

class Labelling {
  constructor(
    private readonly program: ProgramInProcess,
    private readonly page: Page,
    private readonly dataset: string,
  ) {}

  /** Selects all media, and sends the label. */
  async start(media: number): Promise<void> {
    const { page } = this;
    await page.goto(`${this.program.url}/datasets/${this.dataset}/explore?level=4`);
    await page.getByRole('gridcell').first().focus();
    await page.keyboard.press('Control+a');
    await page
      .getByText(`${media.toLocaleString('en')} media of`)
      .first()
      .waitFor();
    await page.keyboard.press('l');
    await page.getByRole('dialog').getByLabel('Label', { exact: true }).fill(LABEL);
    await page.keyboard.press('Enter');
  }

  /** Of the pictures that have the label. */
  async count(): Promise<number> {
    const path = `/api/v1/dataset/${this.dataset}/annotations?source=ground_truth&label=${LABEL}&limit=1`;
    return (await ask<{ total: number }>(this.program, 'GET', path)).total;
  }

  /** Undoes what the last notice tells. Returns how many still have the label. */
  async undo(): Promise<number> {
    await this.page.getByRole('button', { name: 'Undo' }).click();
    await this.page.getByText('The labels are what they were before.').waitFor();
    return this.count();
  }
}

async function measure(
  report: Report,
  program: ProgramInProcess,
  browser: Browser,
  { media, most }: (typeof SELECTIONS)[number],
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  await context.addInitScript("localStorage.setItem('dms.tour', 'done')");
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const labelling = new Labelling(program, page, await makeDataset(program, media));
  await labelling.start(media);
  const started = performance.now();
  await page.getByText(`The label ${LABEL} was added to`).waitFor();
  const took = (performance.now() - started) / 1_000;
  const labelled = await labelling.count();
  report.figure(`${media} media selected and labelled`, took, 's', `<=${most}`, took <= most);
  report.figure(`pictures with the label, of ${media}`, labelled, '', String(media), labelled === media);
  const left = await labelling.undo();
  report.figure(`pictures with the label after its undo, of ${media}`, left, '', '0', left === 0);
  if (media > BATCH) await stop(report, page, labelling, media);
  await context.close();
}

/** Closes the dialog while it is at work. */
async function stop(report: Report, page: Page, labelling: Labelling, media: number): Promise<void> {
  const isMade = page.waitForResponse((answer) => answer.url().endsWith('/annotations'));
  await labelling.start(media);
  await isMade;
  await page.keyboard.press('Escape');
  const notice = await page.getByText(/^It was stopped when/).innerText();
  const [, told = ''] = /when ([\d,]+) pictures/.exec(notice) ?? [];
  const labelled = await labelling.count();
  const isPart = labelled > 0 && labelled < media;
  report.figure(`pictures with the label, of ${media} after a stop`, labelled, '', `>0, <${media}`, isPart);
  const untold = labelled - Number(told.replaceAll(',', ''));
  report.figure('those of them that the notice does not count', untold, '', '0', untold === 0);
  const left = await labelling.undo();
  report.figure('pictures with the label after the undo of the part', left, '', '0', left === 0);
}

async function run(report: Report): Promise<void> {
  const browser = await startBrowser();
  try {
    await inProgram(async (program) => {
      for (const selection of SELECTIONS) await measure(report, program, browser, selection);
    });
  } finally {
    await browser.close();
  }
}

export const bench: Bench = {
  name: 'labelling',
  summary: 'labels of a selection of 1,000 and of 10,000 media in a browser, with a stop part-way and its undo',
  run,
};
