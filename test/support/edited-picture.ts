import type { ConsolePage } from './console-page';
import type { ConsoleWorld } from './console-world';
import type { ListedAnnotation } from './source-client';
import { waitUntil } from './wait-until';

/** Of `writePicture`. */
export const [WIDTH, HEIGHT] = [160, 120];

export interface EditedBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Of {
  readonly world: ConsoleWorld;
  readonly page: ConsolePage;
  readonly id: string;
  readonly mediaId: string;
}

export type EditedPicture = ReturnType<typeof editedPicture>;

/** Draws on a picture in the browser, and reads and writes its annotations by the API. */
export function editedPicture(of: () => Of) {
  const driver = () => of().page.driver;
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => driver().keyboard.press(key)), Promise.resolve());
  const surface = () => driver().getByRole('group', { name: 'The picture, to draw on' });
  const push = (source: string, annotation: object, mode = 'add') =>
    of().world.ask(`/dataset/${of().id}/annotations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ source, mode, annotations: [{ media_id: of().mediaId, ...annotation }] }),
    });
  const stored = async (source = 'ground_truth') =>
    (
      await of().world.ask<{ annotations: ListedAnnotation[] }>(
        `/dataset/${of().id}/annotations?media_id=${of().mediaId}&source=${source}`,
      )
    ).annotations;
  /** Waits until what is stored has these labels. */
  const untilLabels = (...labels: string[]) =>
    waitUntil(async () => JSON.stringify((await stored()).map(({ label }) => label).sort()) === JSON.stringify(labels));
  const untilBox = (wanted: (box: EditedBox) => boolean) =>
    waitUntil(async () => (await stored()).some(({ shape }) => shape !== null && wanted(shape as EditedBox)));
  /** A place of the picture on the screen. */
  const at = async (x: number, y: number) => {
    const box = (await surface().boundingBox())!;
    return { x: box.x + (x / WIDTH) * box.width, y: box.y + (y / HEIGHT) * box.height };
  };
  const dragFrom = async (from: readonly [number, number], to: readonly [number, number]) => {
    const [begin, end] = [await at(...from), await at(...to)];
    await driver().mouse.move(begin.x, begin.y);
    await driver().mouse.down();
    await driver().mouse.move(end.x, end.y, { steps: 4 });
    await driver().mouse.up();
  };
  const edit = async () => {
    await of().page.visit(`/datasets/${of().id}/explore?media=${of().mediaId}`);
    await of().page.see('button', 'Edit');
    await press('e');
    await surface().waitFor();
  };
  return { driver, press, surface, push, stored, untilLabels, untilBox, at, dragFrom, edit };
}
