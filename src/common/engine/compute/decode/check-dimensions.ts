import { MediaRejected } from '../media-rejected';
import { MAX_PIXELS, MIN_SIDE } from './decoded-image';

/** Checked in the header, before any pixel is decoded. */
export function checkDimensions(width: number, height: number, { what, maxPixels } = IMAGE): void {
  if (!(width > 0 && height > 0)) throw new MediaRejected('unreadable', `The ${what} has no size.`);
  if (width * height > maxPixels) {
    throw new MediaRejected(
      'too_large',
      `The ${what} is ${width} x ${height}, more than ${maxPixels / 1_000_000} megapixels.`,
    );
  }
  if (width < MIN_SIDE || height < MIN_SIDE) {
    throw new MediaRejected(
      'too_small',
      `The ${what} is ${width} x ${height}, less than ${MIN_SIDE} pixels on a side.`,
    );
  }
}

const IMAGE = { what: 'image', maxPixels: MAX_PIXELS };
