import { MediaRejected } from '../media-analysis';
import { checkDimensions, type Admit, type OpenedImage, rejectOnFailure } from './decoded-image';
import { decodeWithMagick, MAGICK_BYTES_PER_PIXEL } from './decode-with-magick';
import { openRaw, openWithSharp } from './decode-with-sharp';
import { isTurned } from './orientation';
import { blockRowBytes } from './tiff-blocks';
import { tiffHeader, type TiffHeader } from './tiff-header';
import { openTiffSamples } from './tiff-samples';

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
export async function openTiff(bytes: Uint8Array, swapRedBlue: boolean, admit: Admit): Promise<OpenedImage> {
  const header = await tiffHeader(bytes);
  if (header === undefined) return openWithSharp(bytes, swapRedBlue);
  const { width, height, compression } = header;
  checkDimensions(width, height);
  if (!READABLE.has(compression)) throw unknownCompression(compression);
  if (needsScale(header)) return openTiffSamples(header, swapRedBlue);
  const secondReading = (error: unknown): OpenedImage => {
    // libtiff displays missing data as black, and ImageMagick accepts that.
    if (!(error instanceof MediaRejected) || error.reason !== 'unreadable' || !header.isComplete) throw error;
    const decodedBytes = width * height * MAGICK_BYTES_PER_PIXEL;
    const size = isTurned(header.orientation) ? { width: height, height: width } : { width, height };
    return openRaw(
      { ...size, decodedBytes },
      () =>
        decodeWithMagick(bytes, 'TIFF').catch(() => {
          throw error;
        }),
      swapRedBlue,
    );
  };
  try {
    const opened = await rejectOnFailure(() => openWithSharp(bytes, swapRedBlue));
    // libvips keeps the strips or tiles of some lines, both compressed and expanded.
    return {
      ...opened,
      decodedBytes: 2 * blockRowBytes(header),
      pixels: (longestSide) =>
        rejectOnFailure(() => opened.pixels(longestSide)).catch(async (error: unknown) => {
          const second = secondReading(error);
          await admit(second.decodedBytes);
          return second.pixels(longestSide);
        }),
    };
  } catch (error) {
    return secondReading(error);
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
