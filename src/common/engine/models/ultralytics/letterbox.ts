import type { Box } from '../../media-table/media-row';
import type { Pixels } from '../picture-model';
import { resizeAsOpenCv, roundToEven } from '../resizing/resize-as-opencv';

export interface InputSize {
  readonly width: number;
  readonly height: number;
}

const GREY = 114 / 255;

/** A picture as detector input, scaled to fit the centre of a grey canvas: three planes of float32. */
export class Letterbox {
  private constructor(
    readonly values: Float32Array,
    private readonly shown: { readonly left: number; readonly top: number } & InputSize,
  ) {}

  static of(picture: Pixels, input: InputSize): Letterbox {
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
    return new Letterbox(planes(scaled, left, top, input), { left, top, width: across, height: down });
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

function planes({ data, width, height }: Pixels, left: number, top: number, input: InputSize): Float32Array {
  const plane = input.width * input.height;
  const values = new Float32Array(3 * plane).fill(GREY);
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0, to = (top + y) * input.width + left; x < width; x++, to++, from += 3) {
      values[to] = data[from]! / 255;
      values[plane + to] = data[from + 1]! / 255;
      values[2 * plane + to] = data[from + 2]! / 255;
    }
  }
  return values;
}
