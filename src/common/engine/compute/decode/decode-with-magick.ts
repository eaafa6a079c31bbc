import { readFile } from 'node:fs/promises';
import type { IMagickImage, MagickFormat } from '@imagemagick/magick-wasm';
import { errorMessage } from '../../../platform/errors/error-code';
import { MediaRejected } from '../media-analysis';
import { checkDimensions, MAX_PIXELS, type RawImage } from './decoded-image';

/** The pixels of ImageMagick, and their copy. */
export const MAGICK_BYTES_PER_PIXEL = 8;

/** Disables all other readers, whatever the file contains. */
const POLICY = `<policymap>
  <policy domain="delegate" rights="none" pattern="*"/>
  <policy domain="filter" rights="none" pattern="*"/>
  <policy domain="path" rights="none" pattern="@*"/>
  <policy domain="coder" rights="none" pattern="*"/>
  <policy domain="coder" rights="read" pattern="{TIFF,JP2,J2K}"/>
</policymap>`;

type Library = typeof import('@imagemagick/magick-wasm');

let ready: Promise<Library> | undefined;

/** Decodes formats that libvips does not read. All pixels are decoded, so check the size first. */
export async function decodeWithMagick(
  bytes: Uint8Array,
  format: Extract<MagickFormat, 'TIFF' | 'JP2' | 'J2K'>,
  channels: 'as told' | 'grey and alpha' = 'as told',
): Promise<RawImage> {
  // Loaded on first use, because most folders contain no such file.
  const library = await (ready ??= load());
  const { ImageMagick, MagickReadSettings } = library;
  try {
    return ImageMagick.read(bytes, new MagickReadSettings({ format, frameIndex: 0, frameCount: 1 }), (image) =>
      upright(library, image, channels === 'grey and alpha'),
    );
  } catch (error) {
    if (error instanceof MediaRejected) throw error;
    throw new MediaRejected('unreadable', `The image can't be decoded: ${firstSentence(errorMessage(error))}`);
  }
}

async function load(): Promise<Library> {
  const library = await import('@imagemagick/magick-wasm');
  const { ConfigurationFiles, initializeImageMagick, ResourceLimits } = library;
  const configuration = ConfigurationFiles.default;
  configuration.policy.data = POLICY;
  const wasm = await readFile(require.resolve('@imagemagick/magick-wasm/magick.wasm'));
  await initializeImageMagick(wasm, configuration);
  ResourceLimits.area = BigInt(2 * MAX_PIXELS);
  ResourceLimits.disk = 0n;
  return library;
}

function upright({ ColorSpace }: Library, image: IMagickImage, greyAndAlpha: boolean): RawImage {
  image.autoOrient();
  const isGrey = greyAndAlpha || image.colorSpace === ColorSpace.Gray;
  const isKept = isGrey || image.colorSpace === ColorSpace.sRGB;
  // Removes a profile of another colour space.
  const iccProfile = isKept ? image.getColorProfile()?.data : undefined;
  if (!isKept) image.colorSpace = ColorSpace.sRGB;
  const { width, height, hasAlpha } = image;
  checkDimensions(width, height);
  const alpha = hasAlpha ? 'A' : greyAndAlpha ? 'G' : '';
  const mapping = (isGrey ? 'R' : 'RGB') + alpha;
  const data = image.getPixels((pixels) => pixels.toByteArray(0, 0, width, height, mapping));
  if (data === null) throw new MediaRejected('unreadable', 'The image contains no pixels.');
  const channels = mapping.length as RawImage['channels'];
  return { data, width, height, channels, iccProfile: iccProfile && Uint8Array.from(iccProfile) };
}

const firstSentence = (message: string): string => message.split(/[`\n@]/, 1)[0]!.trim();
