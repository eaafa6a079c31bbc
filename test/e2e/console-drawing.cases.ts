import { runsOf } from '../../src/common/engine/annotations/mask-runs';
import type { ConsolePage } from '../support/console-page';
import type { ConsoleWorld } from '../support/console-world';
import { HEIGHT, WIDTH, type EditedPicture } from '../support/edited-picture';
import { PERSON } from '../support/person-skeleton';
import { waitUntil } from '../support/wait-until';

const POSES = {
  images: [{ id: 1, file_name: '0.jpg', width: WIDTH, height: HEIGHT }],
  categories: [PERSON],
  annotations: [{ id: 1, image_id: 1, category_id: 1, num_keypoints: 1, keypoints: [9, 9, 2, 0, 0, 0, 0, 0, 0] }],
};

type MaskShape = Parameters<typeof runsOf>[0];

function isInMask(mask: MaskShape, x: number, y: number): boolean {
  expect([mask.width, mask.height]).toEqual([WIDTH, HEIGHT]);
  let [end, isInside] = [0, true];
  for (const run of runsOf(mask)!) {
    end += run;
    isInside = !isInside;
    if (x * HEIGHT + y < end) break;
  }
  return isInside;
}

interface Of {
  readonly world: ConsoleWorld;
  readonly page: ConsolePage;
  readonly id: string;
}

/** Drawing with the tools for masks and keypoints, and on a picture that is rotated, as part of the console tests. */
export function drawingCases(picture: EditedPicture, of: () => Of): void {
  const { driver, press, surface, push, stored, untilLabels, untilBox, at, dragFrom, edit } = picture;

  it('paints a mask, erases from it, adds and takes polygons, by pointer and by keyboard', async () => {
    await push('ground_truth', {}, 'delete');
    await edit();
    await press('m');
    await dragFrom([40, 40], [80, 40]);
    await of().page.see('combobox', 'Label of the new shape');
    expect(await of().page.seriousFindings()).toEqual([]);
    await driver().keyboard.type('weed');
    await press('Enter');
    await untilLabels('weed');
    /** Waits until the places are inside of the mask, and the others outside. */
    const untilMask = (inside: readonly [number, number][], outside: readonly [number, number][] = []) =>
      waitUntil(async () => {
        const [one] = await stored();
        const isIn = ([x, y]: readonly [number, number]) => isInMask(one!.shape as MaskShape, x, y);
        return inside.every(isIn) && !outside.some(isIn);
      });
    await untilMask(
      [
        [40, 40],
        [79, 40],
      ],
      [
        [60, 60],
        [100, 40],
      ],
    );
    await press('e');
    await dragFrom([60, 30], [60, 50]);
    await untilMask([[50, 40]], [[60, 40]]);
    await press('m', 'Shift+ArrowUp', ' ', ...Array<string>(4).fill('Shift+ArrowDown'), ' ');
    await untilMask([[80, 62]], [[60, 40]]);
    await press('[', '[');
    await of().page.see('text', /Adds to the mask weed.* 3 px/);
    await press('p');
    const corners = [await at(100, 20), await at(140, 20), await at(140, 60)] as const;
    for (const { x, y } of corners) await driver().mouse.click(x, y);
    await press('Enter');
    await untilMask([
      [130, 25],
      [80, 62],
    ]);
    for (const { x, y } of corners) await driver().mouse.click(x, y);
    await press('Shift+Enter');
    await untilMask([[80, 62]], [[130, 25]]);
    expect(await of().page.seriousFindings()).toEqual([]);
    await press('Control+z');
    await untilMask([[130, 25]]);
    for (let step = 0; step < 3; step += 1) await press('Control+z');
    await untilMask([[60, 40]], [[80, 62]]);
    expect(await stored()).toHaveLength(1);
    await press('Control+z');
    await untilLabels();
  });

  it('draws keypoints one by one, leaves one out and hides one', async () => {
    const body = new FormData();
    body.set('source', 'poses');
    body.set('files', new File([JSON.stringify(POSES)], 'poses.json'));
    await of().world.ask(`/dataset/${of().id}/annotations/files`, { method: 'POST', body });
    await waitUntil(
      async () => (await of().world.ask<{ total: number }>(`/dataset/${of().id}/annotations?source=poses`)).total === 1,
    );
    await push('ground_truth', {}, 'delete');
    await edit();
    await press('k');
    await of().page.see('text', 'head, 1 of 3');
    await press('ArrowRight', ' ');
    await of().page.see('text', 'hip, 2 of 3');
    await press('s', 'ArrowDown', ' ');
    await untilLabels('person');
    await press('v', '.', 'h');
    const points = (visible: number) => JSON.stringify([81, 60, visible, 0, 0, 0, 81, 61, 2]);
    await waitUntil(async () => JSON.stringify((await stored())[0]!.shape).includes(points(1)));
    expect(await of().page.seriousFindings()).toEqual([]);
    await press('Control+z');
    await waitUntil(async () => JSON.stringify((await stored())[0]!.shape).includes(points(2)));
  });

  it('draws on a picture that is rotated', async () => {
    await press('Escape', 'r', 'b');
    const box = (await surface().boundingBox())!;
    expect(box.height).toBeGreaterThan(box.width);
    // By a quarter to the right, so that what was at the left is above.
    const place = (x: number, y: number) => ({
      x: box.x + ((HEIGHT - y) / HEIGHT) * box.width,
      y: box.y + (x / WIDTH) * box.height,
    });
    const [from, to] = [place(20, 20), place(60, 50)];
    await driver().mouse.move(from.x, from.y);
    await driver().mouse.down();
    await driver().mouse.move(to.x, to.y, { steps: 4 });
    await driver().mouse.up();
    await driver().keyboard.type('buoy');
    await press('Enter');
    await untilBox(({ x, y, width, height }) =>
      [x - 20, y - 20, width - 40, height - 30].every((off) => Math.abs(off) < 1),
    );
    expect(await of().page.seriousFindings()).toEqual([]);
  });

  it('draws with one finger, and zooms with two, which give up what one began', async () => {
    await push('ground_truth', {}, 'delete');
    const context = await of().world.browser.newContext({ viewport: { width: 412, height: 800 }, hasTouch: true });
    await context.addInitScript("localStorage.setItem('dms.tour', 'done')");
    const tablet = await context.newPage();
    const fingers = await context.newCDPSession(tablet);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      fingers.send('Input.dispatchTouchEvent', { type, touchPoints });
    await tablet.goto(driver().url());
    await tablet.getByRole('button', { name: 'Edit' }).tap();
    await tablet.getByRole('button', { name: 'Box (B)' }).tap();
    const box = (await tablet.getByRole('group', { name: 'The picture, to draw on' }).boundingBox())!;
    const place = (x: number, y: number) => ({
      x: box.x + (x / WIDTH) * box.width,
      y: box.y + (y / HEIGHT) * box.height,
    });
    await touch('touchStart', place(20, 20));
    await touch('touchMove', place(40, 40));
    await touch('touchMove', place(60, 50));
    await touch('touchEnd');
    await tablet.getByRole('combobox', { name: 'Label of the new shape' }).fill('buoy');
    await tablet.keyboard.press('Enter');
    await untilLabels('buoy');
    await untilBox(({ x, y, width, height }) =>
      [x - 20, y - 20, width - 40, height - 30].every((off) => Math.abs(off) < 1),
    );
    const zoom = tablet.getByRole('status', { name: 'Zoom' });
    expect(await zoom.textContent()).toBe('100%');
    await touch('touchStart', place(60, 60));
    await touch('touchMove', place(70, 60));
    await touch('touchStart', place(70, 60), place(100, 60));
    await touch('touchMove', place(55, 60), place(115, 60));
    await touch('touchEnd');
    await tablet.getByText('200%').waitFor();
    await tablet.getByText('All saved').waitFor();
    expect(await stored()).toHaveLength(1);
    await context.close();
  });

  it('ends with Escape, and then shows the picture only', async () => {
    await press('Escape', 'Escape', 'Escape');
    await surface().waitFor({ state: 'detached' });
    await of().page.see('button', 'Edit');
  });
}
