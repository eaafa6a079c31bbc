import { checkDimensions } from './check-dimensions';
import { decodeWithMagick, MAGICK_BYTES_PER_PIXEL } from './decode-with-magick';
import { openRaw } from './decode-with-sharp';
import type { OpenedImage } from './decoded-image';
import { jp2Header } from './jp2-header';

const BYTES_PER_COMPONENT = 4;

export function openJp2(bytes: Uint8Array): OpenedImage {
  const { width, height, isCodestream, components } = jp2Header(bytes);
  checkDimensions(width, height);
  const decodedBytes = width * height * (components * BYTES_PER_COMPONENT + MAGICK_BYTES_PER_PIXEL);
  // A bare codestream does not say that the second of two components is alpha.
  const channels = components === 2 ? 'grey and alpha' : 'as told';
  return openRaw(
    { width, height, decodedBytes },
    () => decodeWithMagick(bytes, isCodestream ? 'J2K' : 'JP2', channels),
    false,
  );
}
