import type { Mask } from '../annotations/annotation';
import { textOfRuns } from '../annotations/mask-runs';

const MAX_PIXELS = 2 ** 26;

/** A mask that is set pixel by pixel. */
export class PixelMask {
  /** In columns. */
  private readonly pixels: Uint8Array;

  private constructor(
    private readonly width: number,
    private readonly height: number,
  ) {
    this.pixels = new Uint8Array(width * height);
  }

  /** Undefined if that is no size of a picture. */
  static of(width: number, height: number): PixelMask | undefined {
    const isSize = [width, height].every((side) => Number.isInteger(side) && side > 0);
    return isSize && width * height <= MAX_PIXELS ? new PixelMask(width, height) : undefined;
  }

  set(x: number, y: number): void {
    this.pixels[x * this.height + y] = 1;
  }

  get mask(): Mask {
    const { width, height, pixels } = this;
    const runs: number[] = [];
    let [value, start] = [0, 0];
    for (let at = 0; at <= pixels.length; at++) {
      if (at < pixels.length && pixels[at] === value) continue;
      runs.push(at - start);
      [value, start] = [1 - value, at];
    }
    return { width, height, counts: textOfRuns(runs) };
  }
}
