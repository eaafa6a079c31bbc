import { MediaRejected } from '../media-rejected';
import { checkDimensions } from './check-dimensions';
import { openRaw } from './decode-with-sharp';
import type { OpenedImage, RawImage } from './decoded-image';
import { HeifError, HeifFile } from './heif-file';
import { profileOf } from './rgb-profile';

/** Planes of at most two bytes a sample, and the picture in libheif's memory and in ours. */
const BYTES_PER_PIXEL = 14;

/** libheif applies rotation and mirroring itself, so the EXIF orientation must be ignored. */
export async function openHeif(bytes: Uint8Array, swapRedBlue: boolean): Promise<OpenedImage> {
  const size = await withHeif(bytes, ({ width, height }) => ({ width, height }));
  checkDimensions(size.width, size.height);
  const whole = { ...size, decodedBytes: size.width * size.height * BYTES_PER_PIXEL };
  return openRaw(whole, () => withHeif(bytes, decode), swapRedBlue);
}

function decode(file: HeifFile): RawImage {
  const { codedColours } = file;
  const iccProfile = file.iccProfile ?? (codedColours && profileOf(codedColours));
  return { ...file.decode(), iccProfile };
}

async function withHeif<T>(bytes: Uint8Array, work: (file: HeifFile) => T): Promise<T> {
  // Loaded on first use: most folders contain no such file.
  const { default: libheif } = await import('libheif-js/wasm-bundle');
  const file = new HeifFile(libheif);
  try {
    file.open(bytes);
    return work(file);
  } catch (error) {
    if (!(error instanceof HeifError)) throw error;
    throw new MediaRejected('unreadable', `The HEIF image is damaged or uses an unsupported codec: ${error.message}.`);
  } finally {
    file.close();
  }
}
