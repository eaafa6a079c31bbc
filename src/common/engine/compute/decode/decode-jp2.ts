import { checkDimensions } from './check-dimensions';
import type { RawImage } from './decoded-image';
import { decodeWithMagick } from './decode-with-magick';
import { jp2Header } from './jp2-header';

export function decodeJp2(bytes: Uint8Array): Promise<RawImage> {
  const { width, height, isCodestream, components } = jp2Header(bytes);
  checkDimensions(width, height);
  // A bare codestream does not say that the second of two components is alpha.
  return decodeWithMagick(bytes, isCodestream ? 'J2K' : 'JP2', components === 2 ? 'grey and alpha' : 'as told');
}
