import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { drawJudged, SWAPPED } from '../support/judged-drawings';
import { waitUntil } from '../support/wait-until';

/** Labels that look wrong, taken over and kept by keyboard, as part of the console tests. */
export function suggestionsCases(world: () => ConsoleWorld): void {
  let page: ConsolePage;
  let id: string;

  const section = () => page.driver.getByRole('region', { name: 'Labels that look wrong' });
  const pair = ({ wrong, right }: (typeof SWAPPED)[number]) =>
    section().getByRole('button', { name: new RegExp(`^${wrong}\\s*, looks like\\s*${right}\\s*1$`) });
  const left = async (): Promise<number> =>
    (await world().ask<{ total: number }>(`/dataset/${id}/label_suggestions`)).total;
  const labelsOf = async (file: string): Promise<readonly string[]> => {
    const { annotations } = await world().ask<{
      annotations: { file_path: string; label: string; shape: object | null }[];
    }>(`/dataset/${id}/annotations?source=ground_truth&limit=1000`);
    return annotations
      .filter(({ file_path: path, shape }) => path === file && shape === null)
      .map(({ label }) => label);
  };

  beforeAll(async () => {
    ({ page } = world());
    const folder = world().folder('judged');
    await drawJudged(folder);
    id = await world().indexedDataset('Judged', folder);
  });

  it('are shown by pair, and the chosen ones are taken over with one key', async () => {
    await page.visit(`/datasets/${id}/quality`);
    const [first] = SWAPPED;
    await pair(first!).press('Enter');
    await section().getByText(first!.file, { exact: true }).waitFor();
    expect(await page.seriousFindings()).toEqual([]);
    await section().getByRole('button', { name: 'Take over 1' }).press('Enter');
    await page.see('text', '1 label taken over');
    expect(await labelsOf(first!.file)).toEqual([first!.right]);
    await waitUntil(async () => (await pair(first!).count()) === 0);
  });

  it('stay as they were if the decision is undone', async () => {
    const [first] = SWAPPED;
    // It is disabled while the labels are taken over.
    await section().getByRole('button', { name: 'Undo', disabled: false }).press('Enter');
    await pair(first!).waitFor();
    expect(await labelsOf(first!.file)).toEqual([first!.wrong]);
  });

  it('are kept by a press on their picture, and do not come back', async () => {
    const [, second] = SWAPPED;
    await pair(second!).press('Enter');
    await section().getByText(second!.file, { exact: true }).waitFor();
    await section()
      .getByRole('button', { name: `: ${second!.file}` })
      .press(' ');
    await section().getByText(`stays ${second!.wrong}`).waitFor();
    await section().getByRole('button', { name: 'Take over 0, keep 1' }).press('Enter');
    await page.see('text', '1 label kept');
    expect(await labelsOf(second!.file)).toEqual([second!.wrong]);
    expect(await left()).toBe(SWAPPED.length - 1);
    await page.driver.setViewportSize({ width: 390, height: 844 });
    expect(await page.driver.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.driver.setViewportSize({ width: 1280, height: 800 });
  });

  it('are mended in a review queue with one key each, and none is left', async () => {
    const families = SWAPPED.map(({ right }) => right);
    const { id: queue } = await world().ask<{ id: string }>(`/dataset/${id}/review_queues`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Mislabels',
        query: { vql: [{ issues: { op: 'issue', value: ['mislabels'] } }] },
        question: { type: 'choose', options: families },
      }),
    });
    await page.visit(`/datasets/${id}/review/${queue}`);
    const file = page.driver.getByRole('complementary', { name: 'Question' }).locator('p').last();
    const answered: string[] = [];
    while (answered.length < SWAPPED.length) {
      let next: (typeof SWAPPED)[number] | undefined;
      await waitUntil(async () => {
        // Below it are comments until the picture is there.
        const name = (await file.count()) > 0 ? await file.innerText() : '';
        next = SWAPPED.find((each) => each.file === name && !answered.includes(name));
        return next !== undefined;
      });
      answered.push(next!.file);
      await page.driver.keyboard.press(String(families.indexOf(next!.right) + 1));
    }
    await page.see('text', 'Nothing is left for you');
    for (const { file: name, right } of SWAPPED) expect(await labelsOf(name)).toEqual([right]);
  });
}
