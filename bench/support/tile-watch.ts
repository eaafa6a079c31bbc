import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { LABELS } from './labelled-picture-folder';

/** The visible tiles to wait for: any, those with a label, or tiles that differ from the last ones. */
export type Expected =
  { readonly kind: 'any' } | { readonly kind: 'label'; readonly label: string } | { readonly kind: 'others' };

/** The tiles must not change for this long. */
const STILL_MS = 1000;

/** Runs in the page: records since when all visible tiles are loaded, expected and unchanged, and when the user last pressed. */
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

/**
 * Adds the script that `untilTiles` uses to the pages of a context. `tiles` is an expression that lists the tiles with their name and whether each is
 * drawn.
 */
export async function watchTiles(context: BrowserContext, tiles: string): Promise<void> {
  await context.addInitScript(script(tiles));
}

const PATIENCE_MS = 60_000;

/** The time from a navigation, the last press or a given moment until the visible tiles are the expected ones. */
export async function untilTiles(
  page: Page,
  expected: Expected,
  act?: () => Promise<number | undefined>,
): Promise<Seen> {
  const found = page.evaluate<{ at: number; tiles: number }>(`tileWatch.when(${JSON.stringify(expected)})`);
  // If the action fails, the rejection of `found` must not count as unhandled.
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
