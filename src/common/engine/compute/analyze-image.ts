import { hash } from 'node:crypto';
import type { Box } from '../media-table/media-row';
import type { Pixels } from '../models/picture-model';
import { openImage, type ImageBytes } from './decode/open-image';
import type { PixelDescriber } from './describe-pixels';
import { freeBytes } from './decode/decoded-image';
import {
  type CutObjects,
  type ImageAnalysis,
  type ObjectAnalysis,
  type PixelBox,
  type IndexedContent,
  MediaRejected,
} from './media-analysis';
import { THUMBNAIL_SIDE } from './thumbnail-store';
import type { ReadMedia } from './read-media';

/** Objects are cut from an image of at most this size, which suffices for their thumbnails and limits memory. */
const OBJECT_SOURCE_SIDE = 4096;

export interface ImageFile extends ImageBytes {
  readonly sha256: string;
  readonly mimeType: string;
  readonly boxes: readonly PixelBox[];
}

export interface Analyzed<T> {
  readonly analysis: T;
  readonly stored: Promise<unknown>;
}

export async function analyzeImage(file: ImageFile, describer: PixelDescriber): Promise<Analyzed<ImageAnalysis>> {
  const { bytes, sha256, mimeType, boxes } = file;
  const image = await openImage(file);
  const pixels = await image.pixels(boxes.length === 0 ? THUMBNAIL_SIDE : OBJECT_SOURCE_SIDE);
  const { width, height } = image;
  const { description, stored } = await describer.describe(pixels, sha256);
  const objects = await analyzeObjects(pixels, { sha256, width, height, boxes }, describer);
  freeBytes(pixels.data);
  return {
    analysis: {
      kind: 'IMAGE',
      mimeType,
      sizeBytes: bytes.length,
      sha256,
      width,
      height,
      ...description,
      objects: objects.analysis,
    },
    stored: Promise.all([stored, objects.stored]),
  };
}

/** Analyses the objects exactly like `analyzeImage`. */
export async function cutObjects(
  file: Omit<ImageFile, 'mimeType'>,
  describer: PixelDescriber,
): Promise<Analyzed<CutObjects>> {
  const { sha256, boxes } = file;
  const image = await openImage(file);
  const pixels = await image.pixels(OBJECT_SOURCE_SIDE);
  const { width, height } = image;
  const { analysis, stored } = await analyzeObjects(pixels, { sha256, width, height, boxes }, describer);
  freeBytes(pixels.data);
  return { analysis: { kind: 'CUT', objects: analysis }, stored };
}

async function analyzeObjects(
  pixels: Pixels,
  { boxes, ...image }: Pick<ImageAnalysis, 'sha256' | 'width' | 'height'> & Pick<ImageFile, 'boxes'>,
  describer: PixelDescriber,
): Promise<Analyzed<ObjectAnalysis[]>> {
  const objects: Analyzed<ObjectAnalysis>[] = [];
  for (const [index, box] of boxes.entries()) {
    const clipped = clip(box, image.width, image.height);
    if (clipped) objects.push(await analyzeObject(pixels, { ...image, index, clipped }, describer));
  }
  return {
    analysis: objects.map((object) => object.analysis),
    stored: Promise.all(objects.map((object) => object.stored)),
  };
}

/** Embeds a whole image or an object exactly as indexing does, so that media of the dataset are found at distance 0. */
export async function embedImage(
  file: ImageBytes & { readonly region: Box | null },
  describer: PixelDescriber,
): Promise<Float32Array> {
  const { region } = file;
  const pixels = await pixelsFor(file, [region], THUMBNAIL_SIDE);
  const embedding = await describer.embed(regionOf(pixels, region));
  freeBytes(pixels.data);
  return embedding;
}

/** Decodes once for all regions. The longest side is near `longestSide`, if the regions have enough pixels. */
export async function pixelsFor(
  file: ImageBytes,
  regions: readonly (Box | null)[],
  longestSide: number,
): Promise<Pixels> {
  const image = await openImage(file);
  const cutsSome = regions.some((region) => region !== null);
  return image.pixels(cutsSome ? Math.max(OBJECT_SOURCE_SIDE, longestSide) : longestSide);
}

/** Null selects the whole image. */
export const regionOf = (pixels: Pixels, region: Box | null): Pixels =>
  region === null ? pixels : cut(pixels, region);

function clip(box: PixelBox, width: number, height: number): PixelBox | undefined {
  const left = Math.max(0, box.x);
  const top = Math.max(0, box.y);
  const right = Math.min(width, box.x + box.width);
  const bottom = Math.min(height, box.y + box.height);
  const clipped = { x: left, y: top, width: right - left, height: bottom - top };
  return clipped.width > 0 && clipped.height > 0 ? clipped : undefined;
}

interface ObjectPlace {
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  readonly index: number;
  readonly clipped: PixelBox;
}

async function analyzeObject(
  pixels: Pixels,
  { sha256, width, height, index, clipped }: ObjectPlace,
  describer: PixelDescriber,
): Promise<Analyzed<ObjectAnalysis>> {
  const box: Box = {
    x: clipped.x / width,
    y: clipped.y / height,
    width: clipped.width / width,
    height: clipped.height / height,
  };
  const boxHash = objectSha256(sha256, box);
  const { description, stored } = await describer.describe(cut(pixels, box), `${sha256}-${boxHash.slice(0, 16)}`);
  const size = { width: Math.max(1, Math.round(clipped.width)), height: Math.max(1, Math.round(clipped.height)) };
  return { analysis: { index, box, sha256: boxHash, ...size, ...description }, stored };
}

function cut(pixels: Pixels, box: Box): Pixels {
  const left = Math.min(pixels.width - 1, Math.floor(box.x * pixels.width));
  const top = Math.min(pixels.height - 1, Math.floor(box.y * pixels.height));
  const width = Math.max(1, Math.min(pixels.width, Math.ceil((box.x + box.width) * pixels.width)) - left);
  const height = Math.max(1, Math.min(pixels.height, Math.ceil((box.y + box.height) * pixels.height)) - top);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * pixels.width + left) * 3;
    data.set(pixels.data.subarray(from, from + width * 3), y * width * 3);
  }
  return { data, width, height };
}

/** Identifies an object by the content of its file and its place in it. */
const objectSha256 = (fileSha256: string, { x, y, width, height }: Box): string =>
  hash('sha256', `${fileSha256} ${x} ${y} ${width} ${height}`);

/** Throws if the file has changed since it was indexed. */
export function assertUnchanged(media: ReadMedia, { sha256, region }: IndexedContent): void {
  if (media.kind === 'IMAGE') {
    const current = region === null ? media.sha256 : objectSha256(media.sha256, region);
    if (current === sha256) return;
  }
  throw new MediaRejected(
    'changed',
    'The file has changed since it was indexed. Synchronise the dataset to read it again.',
  );
}
