import type { Mask } from '../../annotations/annotation';
import { listOf, numberOf, numbersOf, textOf, type JsonObject } from '../json-values';
import type { Span } from '../mask-lines';
import { isBitmapSize, maskOfPart } from '../mask-rows';
import { SIGNATURE } from './write-png';

const WIDTH_AT = 16;
const HEAD_BYTES = 24;

/** A mask of LabelMe: a PNG, which begins at the first point of its shape. A sentence if it is none. */
export async function maskIn(shape: JsonObject, { imageWidth, imageHeight }: JsonObject): Promise<Mask | string> {
  const png = Buffer.from(textOf(shape['mask']), 'base64');
  if (png.length < HEAD_BYTES || !png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return 'a mask is not a PNG';
  const [width, height] = [png.readUInt32BE(WIDTH_AT), png.readUInt32BE(WIDTH_AT + 4)];
  const [left = NaN, top = NaN] = numbersOf(listOf(shape['points'])[0]).map(Math.trunc);
  const size = { width: numberOf(imageWidth), height: numberOf(imageHeight) };
  // Before anything is decoded.
  if (!isBitmapSize(width, height)) return 'a mask has too many pixels';
  const grey = await greyIn(png, width * height);
  if (grey === undefined) return 'a mask is a damaged PNG';
  return maskOfPart(spansIn(grey), { left, top, width, height }, size) ?? 'a mask is not inside its picture';
}

/** Loaded for masks only: other files do not need a decoder of images. */
async function greyIn(png: Buffer, pixels: number): Promise<Buffer | undefined> {
  const { default: sharp } = await import('sharp');
  const grey = await sharp(png, { failOn: 'error', limitInputPixels: pixels })
    .removeAlpha()
    .toColourspace('b-w')
    .raw()
    .toBuffer()
    .catch(() => undefined);
  return grey?.length === pixels ? grey : undefined;
}

function* spansIn(grey: Uint8Array): Generator<Span> {
  let start = -1;
  for (let at = 0; at < grey.length; at++) {
    const isSet = grey[at]! > 0;
    if (isSet === start >= 0) continue;
    if (!isSet) yield [start, at];
    start = isSet ? at : -1;
  }
  if (start >= 0) yield [start, grey.length];
}
