import sharp, { type Sharp } from 'sharp';
import type { Pixels } from '../../models/picture-model';
import { freeBytes, checkDimensions, MAX_PIXELS, type OpenedImage, type RawImage } from './decoded-image';
import { jpegHeader } from './plain-jpeg';
import { asOrientation, isTurned, orientationInXmp, type Orientation, turnPixels } from './orientation';
import { withProfile } from './rgb-profile';

/** Rejects truncated files, but accepts files with mere warnings. */
const OPTIONS = { failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true } as const;

interface StoredImage {
  readonly width: number;
  readonly height: number;
  readonly exifOrientation: Orientation | undefined;
  readonly xmpOrientation: Orientation | undefined;
  /** The memory of libvips for the whole image; 0 for files that are decoded line by line. */
  readonly heldBytes: number;
}

const HELD_WHOLE: ReadonlySet<string | undefined> = new Set(['gif', 'webp']);

export async function openWithSharp(bytes: Uint8Array, swapRedBlue: boolean): Promise<OpenedImage> {
  const stored = jpegHeader(bytes) ?? (await headerBySharp(bytes));
  const { exifOrientation, xmpOrientation, heldBytes } = stored;
  const [width, height] = isTurned(exifOrientation ?? xmpOrientation ?? 1)
    ? [stored.height, stored.width]
    : [stored.width, stored.height];
  checkDimensions(width, height);
  return {
    width,
    height,
    decodedBytes: heldBytes,
    pixels: async (longestSide) => {
      // sharp applies the EXIF orientation itself but does not read XMP.
      const pixels = await upright(sharp(bytes, OPTIONS).autoOrient(), longestSide);
      if (swapRedBlue) swapChannels(pixels.data);
      return exifOrientation === undefined ? turnPixels(pixels, xmpOrientation ?? 1) : pixels;
    },
  };
}

async function headerBySharp(bytes: Uint8Array): Promise<StoredImage> {
  const { width, height, orientation, xmp, format, isProgressive, channels, depth } = await sharp(
    bytes,
    OPTIONS,
  ).metadata();
  const exifOrientation = asOrientation(orientation);
  const isHeld = isProgressive || HELD_WHOLE.has(format);
  const heldBytes = isHeld ? width * height * Math.max(4, channels * (depth === 'uchar' ? 1 : 2)) : 0;
  return { width, height, heldBytes, exifOrientation, xmpOrientation: xmp && orientationInXmp(xmp) };
}

/** Opens pixels from another decoder. They are upright unless an orientation is given. */
export function openRaw(
  { width, height, decodedBytes }: Omit<OpenedImage, 'pixels'>,
  decode: () => RawImage | Promise<RawImage>,
  swapRedBlue: boolean,
  orientation: Orientation = 1,
): OpenedImage {
  return {
    width: isTurned(orientation) ? height : width,
    height: isTurned(orientation) ? width : height,
    decodedBytes,
    pixels: async (longestSide) => {
      const image = await decode();
      const { data, iccProfile, ...raw } = image;
      const opened = iccProfile === undefined ? sharp(data, { raw }) : sharp(withProfile(image, iccProfile), OPTIONS);
      const pixels = await upright(opened, longestSide);
      freeBytes(data);
      if (swapRedBlue) swapChannels(pixels.data);
      return turnPixels(pixels, orientation);
    },
  };
}

async function upright(image: Sharp, longestSide: number): Promise<Pixels> {
  const { data, info } = await image
    .resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { data: channels === 3 ? data : threeChannels(data, channels), width, height };
}

function threeChannels(data: Uint8Array, channels: number): Uint8Array {
  const pixels = data.length / channels;
  const rgb = new Uint8Array(pixels * 3);
  for (let i = 0; i < pixels; i++) {
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = data[i * channels + (channels > 3 ? c : 0)]!;
  }
  return rgb;
}

function swapChannels(data: Uint8Array): void {
  for (let i = 0; i < data.length; i += 3) {
    const red = data[i]!;
    data[i] = data[i + 2]!;
    data[i + 2] = red;
  }
}
