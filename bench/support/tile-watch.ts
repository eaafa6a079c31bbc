import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { LABELS } from './labelled-picture-folder';

/** What tiles in sight are waited for: any, those of a label, or others than before. */
export type Expected =
  { readonly kind: 'any' } | { readonly kind: 'label'; readonly label: string } | { readonly kind: 'others' };

/** Nothing changes for so long once the tiles are there. */
const STILL_MS = 1000;

/** In a page: since when all tiles in sight have their pictures, are those that are expected and stay, and when something was pressed. */
const script = (tiles: string): string => `
  (() => {
    const labels = ${JSON.stringify(LABELS)};
    const labelOf = (name) => labels[parseInt(name, 10) % labels.length];
    const all = ${tiles};
    const now = () => performance.timeOrigin + performance.now();
    const isInSight = ({ element }) => {
      const { top, bottom, height } = element.getBoundingClientRect();
      return height > 0 && bottom > 0 && top < innerHeight;
    };
    const inSight = () => all().filter(isInSight);
    const namesOf = (tiles) => tiles.map(({ name }) => name).join();
    const watch = {
      began: performance.timeOrigin,
      names: () => inSight().map(({ name }) => name),
      state: () => inSight().map(({ name, isDrawn }) => name + (isDrawn ? '' : ' is not drawn')).join(', '),
      when({ kind, label }) {
        const before = namesOf(inSight());
        const isExpected = (tiles) =>
          tiles.length > 0 &&
          tiles.every(({ isDrawn }) => isDrawn) &&
          (kind !== 'label' || tiles.every((tile) => labelOf(tile.name) === label)) &&
          (kind !== 'others' || namesOf(tiles) !== before);
        return new Promise((resolve) => {
          let [seen, since] = ['', now()];
          (function look() {
            const tiles = inSight();
            const state = isExpected(tiles) ? namesOf(tiles) : '';
            if (state !== seen) [seen, since] = [state, now()];
            if (state !== '' && now() - since > ${STILL_MS}) resolve({ at: since, tiles: tiles.length });
            else requestAnimationFrame(look);
          })();
        });
      },
    };
    addEventListener('pointerdown', () => { watch.began = now(); }, { capture: true });
    window.tileWatch = watch;
  })();
`;

export interface Seen {
  readonly seconds: number;
  readonly tiles: number;
}

/** Adds to the pages of a context what `untilTiles` asks. The expression lists the tiles of a page, with name and whether each is drawn. */
export async function watchTiles(context: BrowserContext, tiles: string): Promise<void> {
  await context.addInitScript(script(tiles));
}

const PATIENCE_MS = 60_000;

/** The time from a navigation, from the last press or from a moment until the tiles in sight are those that are expected. */
export async function untilTiles(
  page: Page,
  expected: Expected,
  act?: () => Promise<number | undefined>,
): Promise<Seen> {
  const found = page.evaluate<{ at: number; tiles: number }>(`tileWatch.when(${JSON.stringify(expected)})`);
  // Where the action fails, nobody waits for them any more.
  found.catch(() => undefined);
  const began = await act?.();
  const late = delay(PATIENCE_MS, undefined, { ref: false });
  const seen = await Promise.race([found, late]);
  if (seen === undefined) {
    const state = await page.evaluate<string>('tileWatch.state()');
    throw new Error(`No tiles of ${JSON.stringify(expected)} at ${page.url()}, but ${state}`);
  }
  const { at, tiles } = seen;
  return { seconds: (at - (began ?? (await page.evaluate<number>('tileWatch.began')))) / 1000, tiles };
}

export const namesInSight = (page: Page): Promise<string[]> => page.evaluate('tileWatch.names()');
