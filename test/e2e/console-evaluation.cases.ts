import { join } from 'node:path';
import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';

const MARKUP = '<img src=x onerror=alert(1)>';
const PICTURES = 6;
const box = (x: number) => ({ type: 'box', x, y: 10, width: 20, height: 20 });

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

interface Evaluation {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly completed_at: string | null;
}

/** Evaluations of predictions, as part of the console tests. */
export function evaluationCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;

  const push = (source: string, kind: string, annotations: readonly object[]) =>
    world().ask(`/dataset/${id}/annotations`, json({ source, kind, annotations }));
  const evaluations = async (): Promise<readonly Evaluation[]> =>
    (await world().ask<{ evaluations: Evaluation[] }>(`/dataset/${id}/evaluations`)).evaluations;
  const idOf = async (name: string): Promise<string> => (await evaluations()).find((each) => each.name === name)!.id;
  const dialog = () => page.driver.getByRole('dialog');
  const term = (name: string) =>
    page.driver.locator('dl > div').filter({ has: page.driver.getByText(name, { exact: true }) });
  /** The figure below a name, of which there may be several. */
  const figure = async (name: string, at = 0): Promise<string> => term(name).nth(at).locator('dd').innerText();
  const counted = async (name: string, count: number): Promise<void> =>
    waitUntil(async () => (await figure(name)) === String(count));

  beforeAll(async () => {
    ({ page } = world());
    const folder = world().folder('evaluated');
    for (let at = 0; at < PICTURES; at += 1) await writePicture(join(folder, `${at}.jpg`), 900 + at);
    id = await world().indexedDataset('Evaluated', folder);
    const names = Array.from({ length: PICTURES }, (_, at) => `${at}.jpg`);
    await push(
      'annotator',
      'truth',
      names.flatMap((name) => [
        { file_name: name, label: MARKUP, shape: box(5) },
        { file_name: name, label: 'boat', shape: box(60) },
      ]),
    );
    // Found in all pictures, surely in half of them; a boat is taken for the other label in one, and not found in the others.
    await push('detector', 'predictions', [
      ...names.map((name, at) => ({
        file_name: name,
        label: MARKUP,
        confidence: at % 2 === 0 ? 0.9 : 0.3,
        shape: box(5),
      })),
      { file_name: '0.jpg', label: MARKUP, confidence: 0.8, shape: box(60) },
      { file_name: '1.jpg', label: 'boat', confidence: 0.6, shape: { type: 'box', x: 30, y: 40, width: 9, height: 9 } },
    ]);
    await push('second', 'predictions', [
      ...names.slice(0, 2).map((name) => ({ file_name: name, label: MARKUP, confidence: 0.9, shape: box(5) })),
      ...names.map((name) => ({ file_name: name, label: 'boat', confidence: 0.7, shape: box(60) })),
    ]);
  });

  afterAll(async () => {
    // A page that shows it would request deleted pictures.
    await page.visit('/notifications');
    await world().ask(`/dataset/${id}`, { method: 'DELETE' });
  });

  const create = async (predictions: string): Promise<void> => {
    await page.visit(`/datasets/${id}/evaluate`);
    await page.driver.getByRole('button', { name: 'New evaluation' }).press('Enter');
    await dialog().getByLabel('Predictions', { exact: true }).selectOption({ label: predictions });
    await dialog().getByLabel('Truth', { exact: true }).selectOption({ label: 'annotator' });
  };

  it('are made, and show their figures', async () => {
    await page.visit(`/datasets/${id}/evaluate`);
    await page.see('text', 'No evaluations yet');
    expect(await page.seriousFindings()).toEqual([]);
    await create('annotator');
    await dialog().getByText('The two sources have no annotations of the same type.').waitFor({ state: 'detached' });
    expect(await dialog().getByRole('button', { name: 'Evaluate' }).isDisabled()).toBe(true);
    await dialog().getByLabel('Predictions', { exact: true }).selectOption({ label: 'detector' });
    await dialog().getByRole('button', { name: 'More options' }).press('Enter');
    await dialog().getByLabel('Confidence of single labels').fill('boat');
    await dialog().getByText('This line is not "label = value": boat').waitFor();
    await dialog().getByLabel('Confidence of single labels').fill('');
    await dialog().getByLabel('Confidence from').fill('20');
    expect(await page.seriousFindings()).toEqual([]);
    await dialog().getByLabel('Name').fill(MARKUP);
    await dialog().getByRole('button', { name: 'Evaluate' }).press('Enter');
    await page.see('heading', MARKUP);
    await page.see('heading', 'Figures');
    await counted('True positives', PICTURES);
    await counted('False positives', 2);
    await counted('False negatives', PICTURES);
    expect(await page.seriousFindings()).toEqual([]);
    for (const width of [390, 1280]) {
      await page.driver.setViewportSize({ width, height: 800 });
      expect(await page.driver.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });

  it('count anew from another confidence on, which is in the address', async () => {
    const slider = page.driver.getByRole('slider', { name: 'Confidence from' });
    await slider.fill('0.5');
    await counted('True positives', PICTURES / 2);
    await page.driver.waitForURL(/confidence=0\.5/);
    await page.driver.reload();
    await counted('True positives', PICTURES / 2);
    await slider.press('End');
    await counted('True positives', 0);
    await page.driver.getByRole('button', { name: 'Back to 20%' }).press('Enter');
    await counted('True positives', PICTURES);
    await page.driver.waitForURL((url) => !url.searchParams.has('confidence'));
  });

  it('have a table of labels in any order, and curves of each', async () => {
    const table = page.driver.getByRole('region', { name: 'Classes' });
    const labels = () =>
      table
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((row) => (row as unknown as { innerText: string }).innerText.split(/\s/)[0]));
    await table.getByRole('button', { name: 'Label', exact: true }).press('Enter');
    await table.locator('[aria-sort=ascending]').waitFor();
    expect((await labels())[1]).toBe('boat');
    await table.getByRole('button', { name: 'Label', exact: true }).press('Enter');
    await table.locator('[aria-sort=descending]').waitFor();
    expect((await labels())[0]).toBe('boat');
    await table.getByRole('button', { name: 'Curves of boat' }).press('Enter');
    await page.driver.waitForURL(/label=boat/);
    await page.see('text', 'No prediction is right, whatever its confidence.');
    await page.driver.getByLabel('Label', { exact: true }).selectOption({ label: MARKUP });
    const curve = page.driver.getByRole('slider', { name: 'Precision, recall and F1 by confidence' });
    await curve.press('Home');
    const ofLabel = /^From 0%: precision 0\.86, recall 1\.00/;
    await waitUntil(async () => ofLabel.test((await curve.getAttribute('aria-valuetext')) ?? ''));
    await page.driver.getByLabel('Label', { exact: true }).selectOption({ label: 'All labels' });
    await curve.hover({ position: { x: 2, y: 20 } });
    await page.driver.getByText(/^From \d+%: precision 0\.75, recall 0\.50/).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('lead from a cell of the confusion matrix to its pictures, which show the outcomes', async () => {
    await page.driver.getByRole('radio', { name: 'Confusion' }).press(' ');
    const grid = page.driver.getByRole('grid', { name: 'Confusion' });
    const cell = grid.getByRole('gridcell', { name: `boat taken for ${MARKUP}, 1 in 1 picture` });
    await cell.waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await grid.locator('[tabindex="0"]').focus();
    await page.driver.keyboard.press('Control+Home');
    for (
      let at = 0;
      (await page.driver.evaluate('document.activeElement.ariaLabel')) !== (await cell.getAttribute('aria-label'));
      at += 1
    )
      await page.driver.keyboard.press(at % 2 === 0 ? 'ArrowDown' : at % 4 === 1 ? 'ArrowRight' : 'ArrowLeft');
    await page.driver.keyboard.press('Enter');
    await page.driver.waitForURL(/explore/);
    await page.see('text', `Evaluation ${MARKUP}`);
    await waitUntil(async () => (await page.tiles.count()) === 1);
    await page.tiles.first().click();
    const details = page.driver.getByRole('dialog', { name: 'Details' });
    await details.getByRole('group', { name: 'Outcomes' }).getByText('1 wrong').waitFor();
    const titles = details.getByRole('img', { name: 'Annotations' }).locator('g > title');
    await waitUntil(async () => (await titles.allTextContents()).includes(`${MARKUP} 80% · wrong class, IoU 1.00`));
    expect((await titles.allTextContents()).filter((text) => text.includes('right, IoU 1.00'))).toHaveLength(1);
    expect(await page.seriousFindings()).toEqual([]);
    await details.getByRole('switch', { name: 'Colours by outcome' }).click();
    await titles.filter({ hasText: 'wrong class' }).waitFor({ state: 'detached' });
  });

  it('are filters by outcome, with counts, and colours of the map', async () => {
    await page.visit(`/datasets/${id}/explore?level=0`);
    const filters = page.driver.getByRole('complementary', { name: 'Filters' });
    await filters.getByLabel('Evaluation').selectOption({ label: MARKUP });
    await page.see('text', '2 media match');
    await filters.getByRole('checkbox', { name: /^False negative/ }).click();
    await page.see('text', `${PICTURES} media match`);
    await filters.getByRole('checkbox', { name: /^False negative 6/ }).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await page.visit(`/datasets/${id}/map?colour=outcome`);
    const legend = page.driver.getByRole('region', { name: 'Legend' });
    await legend.getByRole('button', { name: /^False positive/ }).press('Enter');
    await page.see('text', `2 of ${PICTURES} match`);
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('are compared with others of the same truth', async () => {
    await create('second');
    await dialog().getByLabel('Name').fill('Second');
    await dialog().getByRole('button', { name: 'Evaluate' }).press('Enter');
    await page.see('heading', 'Second');
    await page.see('heading', 'Figures');
    await page.driver.getByLabel('Compare with').selectOption({ label: MARKUP });
    await page.see('heading', `Second and ${MARKUP}`);
    await page.driver.getByRole('region', { name: 'A right, B wrong' }).getByText(`${PICTURES} annotations`).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('button', { name: 'Swap A and B' }).press('Enter');
    await page.driver.getByRole('region', { name: 'B right, A wrong' }).getByText(`${PICTURES} annotations`).waitFor();
    await page.driver
      .getByRole('region', { name: 'A right, B wrong' })
      .getByRole('link', { name: /Open in Explore/ })
      .press('Enter');
    await waitUntil(async () => (await page.tiles.count()) === PICTURES - 2);
  });

  it('show slices and failures', async () => {
    await page.visit(`/datasets/${id}/evaluate/${await idOf(MARKUP)}?show=slices`);
    await page.see('heading', 'Slices');
    await page.see('heading', 'Failures that look alike');
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('are told as out of date, run again, renamed and deleted', async () => {
    const [before] = (await evaluations()).filter(({ name }) => name === 'Second');
    await push('second', 'predictions', [{ file_name: '2.jpg', label: MARKUP, confidence: 0.9, shape: box(5) }]);
    await page.visit(`/datasets/${id}/evaluate/${before!.id}`);
    await page.see('text', /^Since then, the predictions changed/);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('button', { name: 'Actions for Second' }).press('Enter');
    await page.driver.getByRole('menuitem', { name: 'Run again' }).press('Enter');
    await waitUntil(async () => {
      const now = (await evaluations()).find(({ name }) => name === 'Second')!;
      return now.status === 'COMPLETED' && now.completed_at !== before!.completed_at;
    });
    await page.driver.getByText(/^Since then/).waitFor({ state: 'detached' });
    await term('AP').getByText('+', { exact: false }).waitFor();
    await page.driver.getByRole('button', { name: 'Actions for Second' }).press('Enter');
    await page.driver.getByRole('menuitem', { name: 'Rename' }).press('Enter');
    await dialog().getByLabel('Name').fill('Third');
    await dialog().getByRole('button', { name: 'Save' }).press('Enter');
    await page.see('heading', 'Third');
    await page.driver.getByRole('button', { name: 'Actions for Third' }).press('Enter');
    await page.driver.getByRole('menuitem', { name: 'Keep up to date' }).press('Enter');
    await page.see('text', 'Third is kept up to date.');
    await page.driver.getByRole('button', { name: 'Actions for Third' }).press('Enter');
    await page.driver.getByRole('menuitem', { name: 'Do not keep up to date' }).press('Enter');
    await page.see('text', 'Third stays as it is until it runs again.');
    await page.driver.getByRole('button', { name: 'All evaluations' }).press('Enter');
    await page.see('list', 'Evaluations');
    await page.driver.getByRole('button', { name: 'Actions for Third' }).press('Enter');
    await page.driver.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await page.driver.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await waitUntil(async () => (await evaluations()).length === 1);
    await page.see('text', 'Third is deleted');
  });

  it('are about the search on Explore, and of a source in its filters', async () => {
    await page.visit(
      `/datasets/${id}/explore?level=0&vql=${encodeURIComponent('[{"files":{"op":"contains","value":"0.jpg"}}]')}`,
    );
    await page.driver.getByRole('button', { name: 'Evaluate', exact: true }).press('Enter');
    await dialog().getByLabel('Truth', { exact: true }).selectOption({ label: 'annotator' });
    await dialog().getByLabel('Predictions', { exact: true }).selectOption({ label: 'detector' });
    await dialog().getByLabel('Only the pictures of this search').waitFor();
    await dialog().getByRole('button', { name: 'Evaluate' }).press('Enter');
    await page.see('heading', 'detector, boxes');
    await page.see('text', /1 picture, 2 annotations, 2 predictions/);
    await page.see('text', /Only the pictures of a search/);
    await page.visit(`/datasets/${id}/explore?level=0`);
    const filters = page.driver.getByRole('complementary', { name: 'Filters' });
    await filters.getByRole('checkbox', { name: 'second' }).click();
    await filters.getByRole('button', { name: 'Evaluate' }).press('Enter');
    expect(await dialog().getByLabel('Predictions', { exact: true }).inputValue()).toBe('second');
    await page.driver.keyboard.press('Escape');
  });
}
