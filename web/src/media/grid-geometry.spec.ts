import { columnsOf } from './grid-geometry';
import { TILE_WIDTHS } from './tile-settings';

const [GAP, OVERSCAN, MOST_TILES] = [8, 1, 150];
const SCREENS = [
  [374, 600],
  [1_150, 760],
  [2_300, 1_300],
  [7_600, 4_200],
] as const;

it.each(SCREENS)('limits the tiles in the document for an area of %i x %i, for any tile size', (width, height) => {
  for (const minWidth of TILE_WIDTHS)
    for (const footer of [0, 22, 122]) {
      const columns = columnsOf({ width, height, minWidth, gap: GAP, footer, overscan: OVERSCAN });
      const rowHeight = (width + GAP) / columns + footer;
      const rows = Math.ceil(height / rowHeight) + 1 + 2 * OVERSCAN;
      expect(columns * rows).toBeLessThanOrEqual(MOST_TILES);
      expect(columns).toBeGreaterThanOrEqual(2);
    }
});
