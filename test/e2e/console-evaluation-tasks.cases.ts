import { join } from 'node:path';
import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';

/** Too few for slices. */
const PICTURES = 4;
const MARKUP = '<img src=x onerror=alert(1)>';
const LONG = 'L'.repeat(200);
const RTL = 'حصان سريع';
const NAME = 'All tasks';
const RESULTS = {
  images: Array.from({ length: PICTURES }, (_, at) => ({ id: at + 1, file_name: `${at}.jpg` })),
  categories: [{ id: 1, name: MARKUP }],
  annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [5, 10, 20, 20], score: 0.75 }],
};

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const polygon = (x: number) => ({ type: 'polygon', rings: [[x, 10, x + 20, 10, x + 20, 30, x, 30]] });
const points = (x: number) => ({ type: 'keypoints', points: [x, 10, 2, x + 20, 10, 2, x + 10, 30, 2] });

interface Started {
  readonly evaluation_id: string;
}

/** Evaluations of other things than boxes, as part of the console tests. */
export function evaluationTasksCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;

  const names = Array.from({ length: PICTURES }, (_, at) => `${at}.jpg`);
  const push = (source: string, kind: string, each: (at: number) => readonly object[]) =>
    world().ask(
      `/dataset/${id}/annotations`,
      json({
        source,
        kind,
        annotations: names.flatMap((file_name, at) => each(at).map((annotation) => ({ file_name, ...annotation }))),
      }),
    );
  const evaluate = async (body: object): Promise<string> => {
    const asked = { name: RTL, ...body };
    const { evaluation_id: made } = await world().ask<Started>(`/dataset/${id}/evaluations`, json(asked));
    return made;
  };
  const visit = async (evaluation: string, show = ''): Promise<void> => {
    await page.visit(`/datasets/${id}/evaluate/${evaluation}${show}`);
    await page.see('heading', show === '' ? 'Figures' : 'Slices');
  };
  const terms = (): Promise<string[]> => page.driver.locator('dl dt').allInnerTexts();
  const dialog = () => page.driver.getByRole('dialog');
  const classes = () => page.driver.getByRole('region', { name: 'Classes' });

  beforeAll(async () => {
    ({ page } = world());
    const folder = world().folder('all-tasks');
    for (let at = 0; at < PICTURES; at += 1) await writePicture(join(folder, `${at}.jpg`), 950 + at);
    id = await world().indexedDataset(NAME, folder);
    await push('outlines', 'truth', () => [
      { label: MARKUP, shape: polygon(5) },
      { label: LONG, shape: polygon(50) },
    ]);
    await push('segmenter', 'predictions', () => [
      { label: MARKUP, confidence: 0.8, shape: polygon(5) },
      { label: LONG, confidence: 0.6, shape: polygon(80) },
    ]);
    await push('points', 'truth', () => [{ label: RTL, shape: points(5) }]);
    await push('poses', 'predictions', (at) => [{ label: RTL, confidence: 0.7, shape: points(5 + at) }]);
    await push('one', 'truth', (at) => [{ label: at % 2 === 0 ? RTL : MARKUP }]);
    await push('other', 'truth', (at) => [{ label: at === 0 || at === 2 ? RTL : LONG }]);
  });

  afterAll(async () => {
    await page.visit('/notifications');
    await world().ask(`/dataset/${id}`, { method: 'DELETE' });
  });

  it('of two annotators have no figures of confidences or shapes', async () => {
    await visit(await evaluate({ truth: 'one', predictions: 'other', task: 'classification' }));
    await page.see('text', 'The predictions have no confidences, so there is nothing to draw.');
    const shown = await terms();
    expect(shown).toEqual(expect.arrayContaining(['Accuracy', 'Mean F1', "Cohen's kappa", 'F1']));
    for (const name of ['AP', 'ROC AUC', 'Calibration error', 'Top 5 accuracy']) expect(shown).not.toContain(name);
    expect(await page.driver.getByRole('slider').count()).toBe(0);
    const kinds = page.driver.getByRole('list', { name: 'Mistakes by kind' });
    expect(await kinds.getByRole('listitem').count()).toBe(3);
    await classes().getByRole('button', { name: 'Kappa', exact: true }).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('radio', { name: 'Confusion' }).press(' ');
    await page.driver.getByRole('columnheader', { name: 'no label' }).waitFor();
    await page.driver.getByRole('gridcell', { name: `${MARKUP} taken for ${LONG}, 2 in 2 pictures` }).press('Enter');
    await page.driver.waitForURL(/explore/);
    await page.tiles.first().click();
    await page.driver.getByRole('dialog').getByText('prediction, wrong class').waitFor();
    expect(await page.driver.getByText(/IoU|solid lines/).count()).toBe(0);
  });

  it('of keypoints are measured by OKS, also in the picture', async () => {
    const evaluation = await evaluate({ truth: 'points', predictions: 'poses', task: 'keypoints' });
    await visit(evaluation);
    expect(await terms()).toEqual(expect.arrayContaining(['AP at OKS 0.5', 'AR at OKS 0.75', 'True positives']));
    await page.driver.getByRole('link', { name: /^True positives/ }).press('Enter');
    await page.driver.waitForURL(/explore/);
    await page.tiles.first().click();
    await page.driver
      .getByRole('dialog')
      .getByText(/right, OKS \d\.\d\d/)
      .first()
      .waitFor({ state: 'attached' });
  });

  it('of masks take all protocols, and say at the field what is wrong', async () => {
    await page.visit(`/datasets/${id}/evaluate`);
    await page.driver.getByRole('button', { name: 'New evaluation' }).press('Enter');
    await dialog().getByLabel('Predictions', { exact: true }).selectOption({ label: 'segmenter' });
    await dialog().getByLabel('Truth', { exact: true }).selectOption({ label: 'outlines' });
    expect(await dialog().getByLabel('Compared are').locator('option').allInnerTexts()).toEqual([
      'Masks and polygons',
      'Boxes',
    ]);
    await dialog().getByLabel('Protocol').selectOption({ label: 'Open Images' });
    await dialog().getByRole('button', { name: 'More options' }).press('Enter');
    await dialog().getByLabel('Labels below others').fill(`${LONG}${LONG} = ${RTL}`);
    await dialog().getByLabel('Name').fill(LONG);
    await dialog().getByRole('button', { name: 'Evaluate' }).press('Enter');
    await dialog().getByRole('alert').waitFor();
    expect(await dialog().getByLabel('Labels below others').getAttribute('aria-invalid')).toBe('true');
    expect(await page.seriousFindings()).toEqual([]);
    page.forgive(422);
    await dialog().getByLabel('Protocol').selectOption({ label: 'Pascal VOC' });
    await dialog().getByRole('button', { name: 'Evaluate' }).press('Enter');
    await page.see('heading', LONG);
    await page.see('text', 'mAP at IoU 0.50');
    await page.driver.setViewportSize({ width: 390, height: 800 });
    expect(await page.driver.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    const label = classes().getByRole('button', { name: `Curves of ${LONG}` });
    expect((await label.boundingBox())!.width).toBeLessThan(300);
    await page.driver.setViewportSize({ width: 1280, height: 800 });
    await page.visit(`/datasets/${id}/evaluate`);
    await page.see('link', LONG);
    expect(await page.driver.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
  });

  it('list all slices if that is wanted, of one kind of condition', async () => {
    const all = await evaluate({ truth: 'outlines', predictions: 'segmenter', task: 'segmentation' });
    await visit(all, '?show=slices');
    await page.see('text', 'F1 is nowhere worse than elsewhere by more than chance.');
    await page.driver.getByRole('switch', { name: 'Also those that are not worse' }).press(' ');
    await page.see('text', 'No slice has enough pictures and objects to be measured.');
    await page.driver.getByLabel('Only by').selectOption({ label: 'Only by: label' });
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('follow an import if that is wanted', async () => {
    await page.visit(`/datasets/${id}/explore`);
    await page.driver.getByRole('button', { name: `Actions for ${NAME}` }).click();
    await page.driver.getByRole('menuitem', { name: 'Add annotations' }).click();
    await dialog()
      .locator('input[type=file]')
      .setInputFiles([{ name: 'r.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(RESULTS)) }]);
    await dialog().getByLabel('Source', { exact: true }).fill('imported');
    await dialog().getByLabel('Evaluate afterwards').press(' ');
    await dialog().getByLabel('Truth', { exact: true }).selectOption({ label: 'outlines' });
    expect(await dialog().getByLabel('Compared are').locator('option:checked').innerText()).toBe('Boxes');
    expect(await page.seriousFindings()).toEqual([]);
    await dialog().getByRole('button', { name: 'Add annotations' }).press('Enter');
    await page.see('heading', 'imported, boxes');
    await page.see('text', /4 pictures, 8 annotations, 1 prediction/);
    const term = page.driver.locator('dl > div').filter({ hasText: 'True positives' });
    await waitUntil(async () => (await term.locator('dd').innerText()) === '1');
  });

  it('run again from the note that they are out of date', async () => {
    await push('imported', 'predictions', () => [
      { label: LONG, confidence: 0.9, shape: { type: 'box', x: 50, y: 10, width: 20, height: 20 } },
    ]);
    await page.driver.reload();
    await page.see('text', /^Since then, the predictions changed/);
    await page.driver.getByRole('button', { name: 'Run again' }).press('Enter');
    await page.see('text', /5 predictions/);
    await page.driver.getByText(/^Since then/).waitFor({ state: 'detached' });
  });
}
