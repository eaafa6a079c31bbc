import { MediaRejected } from '../media-rejected';
import type { ImageFormat } from '../media-type';
import { decodeBmp } from './decode-bmp';
import { decodeHeif } from './decode-heif';
import { decodeJp2 } from './decode-jp2';
import type { OpenedImage } from './decoded-image';
import { errorMessage } from '../../storage/error-code';
import { openRaw, openWithSharp } from './decode-with-sharp';

/** Throws MediaRejected for whatever the bytes themselves are to blame for. */
export async function openImage(bytes: Uint8Array, format: ImageFormat, swapTiffHeic: boolean): Promise<OpenedImage> {
  const opened = await blamingTheFile(() => openAs(bytes, format, swapTiffHeic));
  return { ...opened, pixels: (longestSide) => blamingTheFile(() => opened.pixels(longestSide)) };
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
      return openWithSharp(bytes, swapTiffHeic);
    case 'png':
    case 'jpeg':
    case 'gif':
    case 'webp':
      return openWithSharp(bytes, false);
  }
}

async function blamingTheFile<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof MediaRejected) throw error;
    throw rejectionOf(errorMessage(error));
  }
}

function rejectionOf(message: string): MediaRejected {
  const firstLine = message.split('\n', 1)[0]!.trim();
  if (message.includes('exceeds pixel limit')) return new MediaRejected('too_large', firstLine);
  return new MediaRejected('unreadable', `The image can't be decoded: ${firstLine}`);
}
