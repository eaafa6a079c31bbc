import { MediaRejected } from '../media-analysis';
import type { ImageFormat } from '../media-type';
import { checkDimensions, MAX_DECODED_BYTES, type Admit, type OpenedImage, rejectOnFailure } from './decoded-image';
import { openBmp } from './decode-bmp';
import { openHeif } from './decode-heif';
import { openJp2 } from './decode-jp2';
import { openWithSharp } from './decode-with-sharp';
import { openTiff } from './open-tiff';

/** Images that need more memory are decoded one at a time. */
const LARGE_BYTES = 256 * 1024 ** 2;

/** Resolves when the memory for a large image is available. */
export type WaitForMemory = () => Promise<void>;

export interface ImageBytes {
  readonly bytes: Uint8Array;
  readonly format: ImageFormat;
  readonly swapRedBlueForTiffHeic: boolean;
  /** Absent if no other image is being decoded. */
  readonly waitForMemory?: WaitForMemory;
  /** A lower limit than MAX_PIXELS. */
  readonly maxPixels?: number;
}

/** Throws MediaRejected if the content of the file is invalid. */
export async function openImage(file: ImageBytes): Promise<OpenedImage> {
  const admit: Admit = async (decodedBytes) => {
    if (decodedBytes > MAX_DECODED_BYTES) throw tooLarge(decodedBytes);
    if (decodedBytes > LARGE_BYTES) await file.waitForMemory?.();
  };
  const opened = await rejectOnFailure(() => openAs(file, admit));
  const { width, height, decodedBytes } = opened;
  if (file.maxPixels !== undefined) checkDimensions(width, height, { what: 'image', maxPixels: file.maxPixels });
  return {
    ...opened,
    pixels: async (longestSide) => {
      await admit(decodedBytes);
      const pixels = await rejectOnFailure(() => opened.pixels(longestSide));
      return { ...pixels, original: { width, height } };
    },
  };
}

const tooLarge = (decodedBytes: number): MediaRejected =>
  new MediaRejected(
    'too_large',
    `Decoding the image takes ${Math.ceil(decodedBytes / 1024 ** 2)} MiB of memory, more than ${MAX_DECODED_BYTES / 1024 ** 2} MiB.`,
  );

async function openAs({ bytes, format, swapRedBlueForTiffHeic }: ImageBytes, admit: Admit): Promise<OpenedImage> {
  switch (format) {
    case 'heif':
      return openHeif(bytes, swapRedBlueForTiffHeic);
    case 'jp2':
      return openJp2(bytes);
    case 'bmp':
      return openBmp(bytes);
    case 'tiff':
      return openTiff(bytes, swapRedBlueForTiffHeic, admit);
    case 'png':
    case 'jpeg':
    case 'gif':
    case 'webp':
      return openWithSharp(bytes, false);
  }
}
