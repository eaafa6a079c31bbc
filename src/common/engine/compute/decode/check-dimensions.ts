import { MediaRejected } from '../media-rejected';
import { MAX_PIXELS, MIN_SIDE } from './decoded-image';

/** Checked in the header, before any pixel is decoded. */
export function checkDimensions(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw new MediaRejected('unreadable', 'The image has no size.');
  if (width * height > MAX_PIXELS) {
    throw new MediaRejected(
      'too_large',
      `The image is ${width} x ${height}, more than ${MAX_PIXELS / 1_000_000} megapixels.`,
    );
  }
  if (width < MIN_SIDE || height < MIN_SIDE) {
    throw new MediaRejected('too_small', `The image is ${width} x ${height}, less than ${MIN_SIDE} pixels on a side.`);
  }
}
