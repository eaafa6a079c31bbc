import { join } from 'node:path';
import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { editedPicture, type EditedBox } from '../support/edited-picture';
import { writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';
import { drawingCases } from './console-drawing.cases';

const BOX = { type: 'box', x: 100, y: 70, width: 40, height: 30 };

/** Editing shapes and labels of a picture, as part of the console tests. */
export function annotatingCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;
  let mediaId: string;

  const { driver, ...picture } = editedPicture(() => ({ world: world(), page, id, mediaId }));
  const { press, surface, push, stored, untilLabels, untilBox, at, dragFrom, edit } = picture;

  beforeAll(async () => {
    ({ page } = world());
    const folder = world().folder('annotated');
    for (let picture = 0; picture < 3; picture += 1) await writePicture(join(folder, `${picture}.jpg`), 300 + picture);
    id = await world().indexedDataset('Annotated', folder);
    const { clusters } = await world().ask<{ clusters: { previews: { media_id: string }[] }[] }>(
      `/explore/${id}?threshold=0`,
    );
    mediaId = clusters[0]!.previews[0]!.media_id;
    await push('detector-a', { label: 'buoy', confidence: 0.7, shape: BOX });
  });

  afterAll(async () => {
    await page.visit('/notifications');
    await world().ask(`/dataset/${id}`, { method: 'DELETE' });
  });

  it('draws a box, whose label is asked for', async () => {
    await edit();
    await press('b');
    await dragFrom([20, 20], [60, 50]);
    await page.see('combobox', 'Label of the new shape');
    expect(await page.seriousFindings()).toEqual([]);
    await driver().keyboard.type('boat');
    await press('Enter');
    await untilLabels('boat');
    await untilBox(({ x, y, width, height }) =>
      [x - 20, y - 20, width - 40, height - 30].every((off) => Math.abs(off) < 1),
    );
    await page.see('text', 'All saved');
  });

  it('moves and resizes it, by pointer and by keyboard', async () => {
    await press('v');
    await dragFrom([40, 35], [60, 45]);
    await untilBox(({ x, y }) => Math.abs(x - 40) < 1 && Math.abs(y - 30) < 1);
    await dragFrom([80, 60], [90, 70]);
    await untilBox(({ width, height }) => Math.abs(width - 50) < 1 && Math.abs(height - 40) < 1);
    const [before] = (await stored()).map(({ shape }) => shape as EditedBox);
    await press('ArrowRight', 'ArrowRight', 'Alt+ArrowDown');
    await untilBox(
      ({ x, height }) => Math.abs(x - before!.x - 2) < 0.01 && Math.abs(height - before!.height - 1) < 0.01,
    );
    await press(',', 'Shift+ArrowRight');
    await waitUntil(async () => (await stored()).some(({ shape }) => 'rotation' in shape!));
    expect(await page.seriousFindings()).toEqual([]);
  });

  it('relabels it, with suggestions', async () => {
    await press('l');
    await driver().keyboard.type('bu');
    await page.see('option', 'buoy');
    expect(await page.seriousFindings()).toEqual([]);
    await press('ArrowDown', 'Enter');
    await untilLabels('buoy');
  });

  it('deletes it, and undoes that and the steps before, and does them again', async () => {
    await press('Delete');
    await untilLabels();
    await press('Control+z');
    await untilLabels('buoy');
    await press('Control+z');
    await untilLabels('boat');
    for (let step = 0; step < 7; step += 1) await press('Control+z');
    await untilLabels();
    for (let step = 0; step < 8; step += 1) await press('Control+y');
    await untilLabels('buoy');
    await driver().getByRole('button', { name: 'Redo' }).click();
    await untilLabels();
    await driver().getByRole('button', { name: 'Undo' }).click();
    await untilLabels('buoy');
  });

  it('draws a polygon by keyboard alone, and changes its points', async () => {
    await press('Escape', 'p');
    await press('ArrowRight', ' ', 'Shift+ArrowRight', ' ', 'Shift+ArrowDown', ' ', 'Enter');
    await untilLabels('buoy', 'buoy');
    await press('v', '.', 'ArrowLeft');
    await waitUntil(async () =>
      (await stored()).some(
        ({ shape }) => JSON.stringify(shape) === '{"type":"polygon","rings":[[80,60,84,60,84,63]]}',
      ),
    );
    await press('Delete');
    await page.see('text', 'All saved');
    expect(await stored()).toHaveLength(2);
    await press('Delete');
    await untilLabels('buoy');
  });

  it('labels the whole picture', async () => {
    await press('l');
    await driver().keyboard.type('harbour');
    await press('Enter');
    await untilLabels('buoy', 'harbour');
    await driver().getByRole('button', { name: 'Remove harbour' }).click();
    await untilLabels('buoy');
  });

  it('labels by the hot keys of the label set, and says why a label that is not in it is refused', async () => {
    const colour = '#1f77b4';
    const labels = ['buoy', 'harbour'].map((name, at) => ({ name, colour, hot_key: String(at + 1), attributes: [] }));
    const set = (closed: boolean) =>
      world().ask(`/dataset/${id}/label_set`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ labels, closed }),
      });
    await set(true);
    await edit();
    await press('n', 'l');
    await page.see('option', 'harbour');
    await press('Escape', '2');
    await untilLabels('harbour');
    await press('l');
    await driver().keyboard.type('lighthouse');
    page.forgive(422);
    await press('Enter');
    await page.see('text', /1 edit not saved yet: .*lighthouse/);
    expect(await page.seriousFindings()).toEqual([]);
    await driver().getByRole('button', { name: 'Discard the first edit' }).click();
    await page.see('text', 'All saved');
    await set(false);
    await surface().focus();
    const selected = driver().locator('g[data-selected]');
    await press('1');
    await untilLabels('buoy');
    expect(await selected.getAttribute('style')).toBe('color: rgb(31, 119, 180);');
    await driver().getByRole('button', { name: 'harbour 2', pressed: false }).click();
    await untilLabels('harbour');
    await driver().getByRole('button', { name: 'harbour 2', pressed: true }).waitFor();
    await press('1');
    await untilLabels('buoy');
    await press('Escape');
  });

  it('takes over what another source says', async () => {
    const place = await at(120, 85);
    await driver().mouse.click(place.x, place.y);
    await page.see('button', 'Copy to ground_truth');
    expect(await page.seriousFindings()).toEqual([]);
    const untilTaken = async () => {
      await untilLabels('buoy', 'buoy');
      expect((await stored()).filter(({ shape }) => JSON.stringify(shape) === JSON.stringify(BOX))).toHaveLength(1);
    };
    await press('c');
    await untilTaken();
    await press('Delete');
    await untilLabels('buoy');
    // By one press, and once only.
    await press('t');
    await driver().mouse.dblclick(place.x, place.y);
    await untilTaken();
    expect(await page.seriousFindings()).toEqual([]);
    expect(await stored('detector-a')).toHaveLength(1);
    await press('Delete');
    await untilLabels('buoy');
    await press('v', 'o', 'c');
    await untilTaken();
    await press('Delete');
    await untilLabels('buoy');
  });

  it('shows both versions of what somebody else changed meanwhile, and keeps either', async () => {
    await press('n');
    const [one] = await stored();
    await push('ground_truth', { id: one!.id, label: 'whale', shape: BOX }, 'merge');
    page.forgive(409);
    await press('ArrowRight');
    await page.see('alertdialog', 'Somebody else changed this annotation');
    expect(await page.seriousFindings()).toEqual([]);
    expect((await stored())[0]!.label).toBe('whale');
    await driver().getByRole('button', { name: 'Keep theirs' }).click();
    await page.see('text', 'All saved');
    expect((await stored())[0]!.label).toBe('whale');
    await push('ground_truth', { id: one!.id, label: 'ship', shape: BOX }, 'merge');
    await press('n', 'ArrowRight');
    await page.see('alertdialog', 'Somebody else changed this annotation');
    await driver().getByRole('button', { name: 'Keep mine' }).click();
    await untilLabels('whale');
  });

  it('keeps edits while the service is away, also over a reload, and saves them in order', async () => {
    const edits = '**/annotations';
    await driver().route(edits, (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
    page.forgive('ERR_FAILED');
    await press('l');
    await driver().keyboard.type('first');
    await press('Enter', 'Escape', 'l');
    await driver().keyboard.type('second');
    await press('Enter');
    await page.see('text', '2 edits to save');
    await page.see('text', /not reachable. 2 edits will be saved/);
    expect(await page.seriousFindings()).toEqual([]);
    expect((await stored()).map(({ label }) => label)).toEqual(['whale']);
    await driver().reload();
    await page.see('text', /2 edits will be saved/);
    await driver().unroute(edits);
    await untilLabels('first', 'second');
    await driver()
      .getByText(/edits will be saved/)
      .waitFor({ state: 'detached' });
    expect(
      await driver().evaluate("Object.keys(localStorage).filter((key) => key.startsWith('dms.unsent')).length"),
    ).toBe(0);
  });

  it('leaves edits of somebody else in the browser', async () => {
    const key = 'dms.unsent-edits.00000000-0000-4000-8000-000000000009.page';
    const ofOthers = [{ key: 'a', undoes: null, datasetId: id, mediaId: id, source: 'ground_truth', changes: [] }];
    await driver().evaluate(`localStorage.setItem('${key}', ${JSON.stringify(JSON.stringify(ofOthers))})`);
    await driver().reload();
    await driver().waitForResponse((answer) => answer.url().endsWith('/api/v1/me'));
    await page.see('text', 'second');
    expect(
      await driver()
        .getByText(/edits? will be saved|edits? to save/)
        .count(),
    ).toBe(0);
    expect(await driver().evaluate(`localStorage.getItem('${key}') !== null`)).toBe(true);
    await driver().evaluate(`localStorage.removeItem('${key}')`);
  });

  describe('tools', () => drawingCases({ driver, ...picture }, () => ({ world: world(), page, id })));
}
