import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConsolePage } from '../support/console-page';
import { form, type ConsoleWorld } from '../support/console-world';
import { writePicture } from '../support/pictures';
import { waitUntil } from '../support/wait-until';

const PICTURES = 12;

interface Queue {
  readonly id: string;
  readonly n_left: number;
  readonly states: Readonly<Record<string, number>>;
}

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Review queues by keyboard, as part of the console tests. */
export function reviewCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;

  const queues = async (): Promise<readonly Queue[]> =>
    (await world().ask<{ queues: Queue[] }>(`/dataset/${id}/review_queues`)).queues;
  const progressOf = (queue: string): Promise<Queue> => world().ask(`/dataset/${id}/review_queues/${queue}`);
  const labels = async (): Promise<string[]> => {
    const { annotations } = await world().ask<{ annotations: { label: string }[] }>(
      `/dataset/${id}/annotations?source=ground_truth&limit=100`,
    );
    return annotations.map(({ label }) => label).sort();
  };
  const question = () => page.driver.getByRole('complementary', { name: 'Question' });
  /** Presses a key, and waits for the next picture. */
  const press = async (key: string): Promise<void> => {
    const file = question().getByText(/\.jpg$/);
    const before = await file.innerText();
    await page.driver.keyboard.press(key);
    await waitUntil(async () => (await file.innerText()) !== before);
  };
  const made = async (name: string): Promise<string> => {
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('dialog').getByRole('button', { name: 'Make the queue' }).click();
    await page.see('heading', name);
    await question().waitFor();
    return new URL(page.driver.url()).pathname.split('/').at(-1)!;
  };
  const create = async (name: string, fill: () => Promise<void>): Promise<string> => {
    await page.visit(`/datasets/${id}/review`);
    await page.driver.getByRole('button', { name: 'New queue' }).click();
    const dialog = page.driver.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Pictures').selectOption({ label: 'All pictures, in random order' });
    await fill();
    return made(name);
  };

  beforeAll(async () => {
    ({ page } = world());
    for (let at = 0; at < PICTURES; at += 1)
      await writePicture(join(world().folder('reviewed'), `${at}.jpg`), 500 + at);
    id = await world().indexedDataset('Reviewed', world().folder('reviewed'));
  });

  it('are made, and answered with one key each', async () => {
    const dialog = page.driver.getByRole('dialog');
    const queue = await create('Which', async () => {
      await dialog.getByLabel('Question').selectOption({ label: 'Which of these is it?' });
      await dialog.getByLabel('Options').fill('boat, house');
    });
    expect(await page.seriousFindings()).toEqual([]);
    for (let at = 0; at < PICTURES - 3; at += 1) await press(at % 3 === 0 ? '2' : '1');
    await press('s');
    await page.driver.keyboard.press('f');
    await dialog.getByLabel('What is the matter?').fill('Two houses');
    await dialog.getByRole('button', { name: 'Flag' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.driver.keyboard.press('1');
    await page.see('text', 'Nothing is left for you');
    await waitUntil(async () => (await progressOf(queue)).n_left === 0);
    expect((await progressOf(queue)).states).toMatchObject({ done: PICTURES - 2, flagged: 1, skipped: 1 });
    const houses = Math.ceil((PICTURES - 3) / 3);
    expect(await labels()).toEqual([
      ...Array.from({ length: PICTURES - 2 - houses }, () => 'boat'),
      ...Array.from({ length: houses }, () => 'house'),
    ]);
  });

  it('show the labels of a picture, to change by keys', async () => {
    const queue = await create('Labels', async () => {
      await page.driver.getByRole('dialog').getByLabel('Options').fill('boat, house, sea');
    });
    const named = (name: string) => question().getByRole('button', { name });
    await named('sea').waitFor();
    await page.driver.keyboard.press('3');
    await named('sea').and(page.driver.locator('[aria-pressed=true]')).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await press('Enter');
    await waitUntil(async () => (await progressOf(queue)).states['done'] === 1);
    expect((await labels()).filter((label) => label === 'sea')).toHaveLength(1);
    await page.driver.setViewportSize({ width: 390, height: 844 });
    expect(await page.driver.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.driver.setViewportSize({ width: 1280, height: 800 });
  });

  it('are not answered before the labels of the picture are known', async () => {
    const before = await labels();
    let release = (): void => undefined;
    const isOpen = new Promise<void>((resolve) => (release = resolve));
    await page.driver.route('**/annotations?*', async (route) => {
      await isOpen;
      await route.continue();
    });
    const queue = await create('Slow', async () => {
      await page.driver.getByRole('dialog').getByLabel('Options').fill('boat, house, sea');
    });
    const answer = question().getByRole('button', { name: 'Answer' });
    expect(await answer.count()).toBe(0);
    await page.driver.keyboard.press('Enter');
    release();
    await answer.waitFor();
    expect((await progressOf(queue)).states['done']).toBe(0);
    await press('Enter');
    await waitUntil(async () => (await progressOf(queue)).states['done'] === 1);
    expect(await labels()).toEqual(before);
    await page.driver.unrouteAll();
    await world().ask(`/dataset/${id}/review_queues/${queue}`, { method: 'DELETE' });
  });

  it('are made of a search and of a selection, and show comments, progress and changes', async () => {
    const { annotations } = await world().ask<{ annotations: { media_id: string }[] }>(
      `/dataset/${id}/annotations?source=ground_truth&label=house&limit=100`,
    );
    const known = annotations.slice(0, 2).map(({ media_id: media }) => media);
    const tag = await world().ask<{ id: string }>(`/dataset/${id}/tags`, json({ name: 'Known' }));
    const selected = { media_selection: [{ type: 'media', payload: { media_ids: known } }] };
    await world().ask(`/dataset/${id}/tags/${tag.id}/assign`, json(selected));

    await page.visit(`/datasets/${id}/explore?sort=file_size&level=0`);
    await page.seeTiles();
    await page.driver.getByRole('button', { name: 'Review these' }).press('Enter');
    const dialog = page.driver.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Smallest');
    await dialog.getByLabel('Question').selectOption({ label: 'Which of these is it?' });
    await dialog.getByLabel('Options').fill('boat, house');
    await dialog.getByLabel('In your words').fill('Boat or house?');
    await dialog.getByLabel('Due').fill('2030-01-02T12:00');
    await dialog.getByLabel('Mix in pictures').selectOption({ label: 'Known' });
    const queue = await made('Smallest');
    await page.see('heading', 'Boat or house?');
    const { items } = await world().ask<{ items: { media_id: string }[] }>(
      `/dataset/${id}/review_queues/${queue}/items`,
    );
    expect(items).toHaveLength(PICTURES);
    await question().getByRole('textbox', { name: 'Comment' }).fill('Or is it a raft?');
    await question().getByRole('button', { name: 'Comment' }).press('Enter');
    await question().getByRole('listitem').getByText('Or is it a raft?').waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('heading', { name: 'Boat or house?' }).click();
    const first = await question()
      .getByText(/\.jpg$/)
      .innerText();
    await press('1');
    await press('z');
    await question().getByText(first).waitFor();
    await waitUntil(async () => (await progressOf(queue)).n_left === PICTURES);
    for (let at = 1; at < PICTURES; at += 1) await press('2');
    await page.driver.keyboard.press('2');
    await page.see('text', 'Nothing is left for you');
    await page.driver.keyboard.press('z');
    await question().waitFor();
    await page.driver.keyboard.press('2');
    await page.see('text', 'Nothing is left for you');
    await waitUntil(async () => (await progressOf(queue)).n_left === 0);
    await page.driver.getByLabel('Progress').press(' ');
    await page.driver.getByRole('region', { name: 'By person' }).getByText('2 of 2').waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    const download = page.driver.waitForEvent('download');
    await page.driver.getByRole('button', { name: 'All decisions as CSV' }).press('Enter');
    const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(1 + PICTURES);

    // One that the answer has changed.
    const houses = annotations.map(({ media_id: media }) => media);
    const last = items.findLast(({ media_id: media }) => !houses.includes(media))!.media_id;
    await page.visit(`/datasets/${id}/explore?level=0&media=${last}`);
    const details = page.driver.getByRole('dialog', { name: 'Details' });
    await details.getByRole('button', { name: 'Who changed the annotations' }).press('Enter');
    const changes = details.getByRole('list', { name: 'Changes' });
    await changes.getByText('ground_truth, in the queue Smallest', { exact: true }).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    const before = (await labels()).filter((label) => label === 'house').length;
    await changes.getByRole('button', { name: 'Undo' }).first().press('Enter');
    await page.see('text', 'Undone in 1 picture');
    expect((await labels()).filter((label) => label === 'house')).toHaveLength(before - 1);

    await page.visit(`/datasets/${id}/explore?level=0`);
    await page.tiles.first().press(' ');
    await page.driver.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Review these' }).click();
    await dialog.getByLabel('Name').fill('One');
    expect((await progressOf(await made('One'))).n_left).toBe(1);
    await world().ask(`/dataset/${id}/review_queues/${queue}`, { method: 'DELETE' });
    await world().ask(`/dataset/${id}/review_queues/${(await queues())[0]!.id}`, { method: 'DELETE' });
  });

  it('are fed by a view', async () => {
    await world().ask(`/dataset/${id}/views?entity_type=IMAGES`, form({ name: 'Everything' }));
    await page.visit(`/datasets/${id}/review`);
    await page.driver.getByRole('button', { name: 'New queue' }).click();
    const dialog = page.driver.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Fed');
    await dialog.getByLabel('Pictures').selectOption({ label: 'What a view finds, also in later batches' });
    await dialog.getByLabel('View').selectOption({ label: 'Everything' });
    const queue = await made('Fed');
    expect((await progressOf(queue)).n_left).toBe(PICTURES);
    await page.visit(`/datasets/${id}/review`);
    await page.see('text', 'fed by a view');
    await world().ask(`/dataset/${id}/review_queues/${queue}`, { method: 'DELETE' });
  });

  it('are listed with their progress, and deleted', async () => {
    await page.visit(`/datasets/${id}/review`);
    await page.see('text', `All ${PICTURES} done`);
    await page.see('text', `${PICTURES - 1} of ${PICTURES} left`);
    expect(await page.seriousFindings()).toEqual([]);
    await page.driver.getByRole('button', { name: 'Delete Labels' }).click();
    await page.driver.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await waitUntil(async () => (await queues()).length === 1);
  });
}
