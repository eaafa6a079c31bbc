import type { Pixels } from '../../models/picture-model';
import { isTurned, type Orientation } from './orientation';

/** Rotates and mirrors stored pixels so that they are upright. */
export function turnPixels(pixels: Pixels, orientation: Orientation): Pixels {
  if (orientation === 1) return pixels;
  const turned = isTurned(orientation);
  const width = turned ? pixels.height : pixels.width;
  const height = turned ? pixels.width : pixels.height;
  const data = new Uint8Array(width * height * 3);
  // Whether the first column or row of the upright image is the last one as stored.
  const fromRight = [2, 3, 7, 8].includes(orientation);
  const fromBottom = [3, 4, 6, 7].includes(orientation);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 3) {
      const [column, line] = turned ? [y, x] : [x, y];
      const storedX = fromRight ? pixels.width - 1 - column : column;
      const storedY = fromBottom ? pixels.height - 1 - line : line;
      const from = (storedY * pixels.width + storedX) * 3;
      data[to] = pixels.data[from]!;
      data[to + 1] = pixels.data[from + 1]!;
      data[to + 2] = pixels.data[from + 2]!;
    }
  }
  return { data, width, height };
}
