import { DIMMED_ALPHA, pointAlpha, type Drawing, type Frame } from './drawing';
import { paletteIndex, type Colour } from './palette';
import type { MapTile } from './tile-format';
import { squareOf } from './tile-tree';
import { toScreen } from './viewport';

/** More would make moving slow without a graphics card. */
const MOST_POINTS = 20_000;

const cssOf = (colour: Colour): string => `rgb(${colour.map((part) => Math.round(part * 255)).join(' ')})`;

/** Draws without WebGL; of very many points only a regular share. */
export function canvasDrawing(canvas: HTMLCanvasElement): Drawing {
  const context = canvas.getContext('2d')!;

  /** The points of each colour together, because changing the colour is slow. */
  const addTile = (tile: MapTile, step: number, frame: Frame, paths: readonly Path2D[]): void => {
    const { view, size, pointPx, highlighted } = frame;
    const square = squareOf(tile.id);
    const from = toScreen(view, size, { x: square.left, y: square.top });
    const unit = ((square.right - square.left) * view.scale) / 65_535;
    const radius = pointPx / 2;
    for (let at = 0; at < tile.count; at += step) {
      const [x, y] = [from.x + tile.x[at]! * unit, from.y + tile.y[at]! * unit];
      if (x < -radius || y < -radius || x > size.width + radius || y > size.height + radius) continue;
      const colour = paletteIndex(tile.colour[at]!);
      const isLit = tile.matches[at] === 1 && (highlighted === null || highlighted === colour);
      const path = paths[isLit ? colour + 1 : 0]!;
      path.moveTo(x + radius, y);
      path.arc(x, y, radius, 0, 2 * Math.PI);
    }
  };

  return {
    isSample: true,
    draw: (tiles, frame) => {
      const { palette, ratio, size, pointPx } = frame;
      const points = tiles.reduce((sum, { count }) => sum + count, 0);
      const step = Math.max(1, Math.ceil(points / MOST_POINTS));
      const dimmed = palette.colours.at(-1)!;
      const paths = [dimmed, ...palette.colours].map(() => new Path2D());
      for (const tile of tiles) addTile(tile, step, frame, paths);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, size.width, size.height);
      const fill = (path: Path2D, colour: Colour, alpha: number): void => {
        context.globalAlpha = alpha;
        context.fillStyle = cssOf(colour);
        context.fill(path);
      };
      fill(paths[0]!, dimmed, DIMMED_ALPHA);
      // Points without a value are drawn below those that have one.
      for (let at = palette.colours.length - 1; at >= 0; at -= 1)
        fill(paths[at + 1]!, palette.colours[at]!, pointAlpha(pointPx));
    },
    forget: () => undefined,
    dispose: () => undefined,
  };
}
