import type { ImageFormat } from '../media-type';
import { decodeBmp } from './decode-bmp';
import { decodeHeif } from './decode-heif';
import { decodeJp2 } from './decode-jp2';
import type { OpenedImage } from './decoded-image';
import { openRaw, openWithSharp } from './decode-with-sharp';
import { openTiff } from './open-tiff';
import { rejectOnFailure } from './reading-error';

/** Throws MediaRejected if the content of the file is at fault. */
export async function openImage(bytes: Uint8Array, format: ImageFormat, swapTiffHeic: boolean): Promise<OpenedImage> {
  const opened = await rejectOnFailure(() => openAs(bytes, format, swapTiffHeic));
  const { width, height } = opened;
  return {
    ...opened,
    pixels: async (longestSide) => {
      const pixels = await rejectOnFailure(() => opened.pixels(longestSide));
      return { ...pixels, original: { width, height } };
    },
  };
}

async function openAs(bytes: Uint8Array, format: ImageFormat, swapTiffHeic: boolean): Promise<OpenedImage> {
  switch (format) {
    case 'heif':
      return openRaw(await decodeHeif(bytes), swapTiffHeic);
    case 'jp2':
      return openRaw(await decodeJp2(bytes), false);
    case 'bmp':
      return openRaw(decodeBmp(bytes), false);
    case 'tiff':
      return openTiff(bytes, swapTiffHeic);
    case 'png':
    case 'jpeg':
    case 'gif':
    case 'webp':
      return openWithSharp(bytes, false);
  }
}
