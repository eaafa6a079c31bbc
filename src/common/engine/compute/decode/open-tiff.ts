import { MediaRejected } from '../media-rejected';
import { checkDimensions } from './check-dimensions';
import { decodeWithMagick } from './decode-with-magick';
import { openRaw, openWithSharp } from './decode-with-sharp';
import type { OpenedImage } from './decoded-image';
import { rejectOnFailure } from './reading-error';
import { tiffHeader, type TiffHeader } from './tiff-header';
import { decodeTiffSamples } from './tiff-samples';

const ZSTD = 50_000;
const LERC = 34_887;
const READABLE = new Set([1, 2, 3, 4, 5, 6, 7, 8, 32_773, 32_946, LERC, ZSTD, 50_001]);
const COMPRESSIONS = new Map([
  [32_766, 'NeXT'],
  [32_809, 'ThunderScan'],
  [34_661, 'JBIG'],
  [34_676, 'SGI LogLuv'],
  [34_677, 'SGI LogLuv 24'],
  [34_712, 'JPEG 2000'],
  [34_892, 'lossy JPEG of DNG'],
  [34_925, 'LZMA'],
  [50_002, 'JPEG XL'],
]);

/** libvips reads most files, geotiff the samples that need scaling, and ImageMagick what libvips rejects. */
export async function openTiff(bytes: Uint8Array, swapRedBlue: boolean): Promise<OpenedImage> {
  const header = await tiffHeader(bytes);
  if (header === undefined) return openWithSharp(bytes, swapRedBlue);
  checkDimensions(header.width, header.height);
  if (!READABLE.has(header.compression)) throw unknownCompression(header.compression);
  if (needsScale(header)) return openRaw(await decodeTiffSamples(header), swapRedBlue, header.orientation);
  try {
    const opened = await rejectOnFailure(() => openWithSharp(bytes, swapRedBlue));
    return { ...opened, pixels: (longestSide) => orByMagick(() => opened.pixels(longestSide), longestSide) };
  } catch (error) {
    return secondReading(error);
  }

  async function orByMagick(read: () => ReturnType<OpenedImage['pixels']>, longestSide: number) {
    try {
      return await rejectOnFailure(read);
    } catch (error) {
      return (await secondReading(error)).pixels(longestSide);
    }
  }

  async function secondReading(error: unknown): Promise<OpenedImage> {
    // libtiff shows missing data as black, and ImageMagick accepts that.
    if (!(error instanceof MediaRejected) || error.reason !== 'unreadable' || !header!.isComplete) throw error;
    try {
      return openRaw(await decodeWithMagick(bytes, 'TIFF'), swapRedBlue);
    } catch {
      throw error;
    }
  }
}

function needsScale({ kind, bits, compression, photometric, range }: TiffHeader): boolean {
  if (kind !== 'unsigned' || ![1, 2, 4, 8, 16].includes(bits) || compression === ZSTD || compression === LERC)
    return true;
  return range !== undefined && bits === 16 && (photometric ?? 0) < 2;
}

const unknownCompression = (compression: number): MediaRejected =>
  new MediaRejected(
    'unsupported',
    `The TIFF uses ${COMPRESSIONS.get(compression) ?? 'an unknown compression'} (${compression}), which is not supported.`,
  );
