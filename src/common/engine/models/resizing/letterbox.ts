import type { Box } from '../../media-table/media-row';
import type { Pixels } from '../picture-model';
import { resizeAsOpenCv, roundToEven } from './resize-as-opencv';

export interface InputSize {
  readonly width: number;
  readonly height: number;
}

const GREY = 114;

/** A picture as detector input, scaled to fit the centre of a grey canvas: three planes of numbers from 0 to `white`. */
export class Letterbox {
  private constructor(
    readonly values: Float32Array,
    private readonly shown: { readonly left: number; readonly top: number } & InputSize,
  ) {}

  static of(picture: Pixels, input: InputSize, white: number): Letterbox {
    // Based on the size in the file, because a difference of one pixel would shift everything.
    const { width, height } = picture.original ?? picture;
    const ratio = Math.min(input.height / height, input.width / width);
    const scaled = resizeAsOpenCv(
      picture,
      Math.max(1, roundToEven(width * ratio)),
      Math.max(1, roundToEven(height * ratio)),
    );
    const left = Math.round((input.width - scaled.width) / 2 - 0.1);
    const top = Math.round((input.height - scaled.height) / 2 - 0.1);
    const { width: across, height: down } = scaled;
    return new Letterbox(planes(scaled, left, top, input, white), { left, top, width: across, height: down });
  }

  /** Converts two corners in pixels of the input to fractions of the picture; undefined if the box is outside the picture. */
  boxOf(corners: readonly [left: number, top: number, right: number, bottom: number]): Box | undefined {
    const { left, top, width, height } = this.shown;
    const x = clipped((corners[0] - left) / width);
    const y = clipped((corners[1] - top) / height);
    const box = {
      x,
      y,
      width: clipped((corners[2] - left) / width) - x,
      height: clipped((corners[3] - top) / height) - y,
    };
    return box.width > 0 && box.height > 0 ? box : undefined;
  }
}

const clipped = (fraction: number): number => Math.min(1, Math.max(0, fraction));

function planes(
  { data, width, height }: Pixels,
  left: number,
  top: number,
  input: InputSize,
  white: number,
): Float32Array {
  const full = 255 / white;
  const plane = input.width * input.height;
  const values = new Float32Array(3 * plane).fill(GREY / full);
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0, to = (top + y) * input.width + left; x < width; x++, to++, from += 3) {
      values[to] = data[from]! / full;
      values[plane + to] = data[from + 1]! / full;
      values[2 * plane + to] = data[from + 2]! / full;
    }
  }
  return values;
}
