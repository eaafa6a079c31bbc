import { MediaRejected } from '../media-rejected';
import { checkDimensions } from './check-dimensions';
import type { RawImage } from './decoded-image';
import { HeifError, HeifFile } from './heif-file';
import { profileOf } from './rgb-profile';

/** libheif applies rotation and mirroring itself, so the EXIF orientation must be ignored. */
export async function decodeHeif(bytes: Uint8Array): Promise<RawImage> {
  // Loaded on first use: most folders contain no such file.
  const { default: libheif } = await import('libheif-js/wasm-bundle');
  const file = new HeifFile(libheif);
  try {
    file.open(bytes);
    checkDimensions(file.width, file.height);
    const { codedColours } = file;
    const iccProfile = file.iccProfile ?? (codedColours && profileOf(codedColours));
    return { ...file.decode(), iccProfile };
  } catch (error) {
    if (!(error instanceof HeifError)) throw error;
    throw new MediaRejected('unreadable', `The HEIF image is damaged or uses an unsupported codec: ${error.message}.`);
  } finally {
    file.close();
  }
}
