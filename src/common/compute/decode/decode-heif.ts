import { MediaRejected } from '../media-rejected';
import { checkDimensions } from './check-dimensions';
import type { RawImage } from './decoded-image';

/** libheif applies the file's own rotation and mirroring; its EXIF orientation must then be left alone. */
export async function decodeHeif(bytes: Uint8Array): Promise<RawImage> {
  // Loaded with the first such file: most folders hold none.
  const { default: libheif } = await import('libheif-js/wasm-bundle');
  const decoder = new libheif.HeifDecoder();
  const images = decoder.decode(bytes);
  try {
    const image = images.find((candidate) => candidate.is_primary()) ?? images[0];
    if (!image) throw new MediaRejected('unreadable', 'The HEIF file holds no image that can be read.');
    const width = image.get_width();
    const height = image.get_height();
    checkDimensions(width, height);
    const target = { data: new Uint8ClampedArray(width * height * 4), width, height };
    const shown = await new Promise<typeof target | null>((resolve) => image.display(target, resolve));
    if (shown === null) throw new MediaRejected('unreadable', 'The HEIF image is damaged or of an unknown codec.');
    return { data: new Uint8Array(shown.data.buffer), width, height, channels: 4 };
  } finally {
    for (const image of images) image.free();
    decoder.decoder?.delete();
  }
}
