import { MediaRejected } from '../media-rejected';
import { checkDimensions } from './check-dimensions';

export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly topDown: boolean;
  readonly bits: number;
  readonly compression: number;
  /** The offset of the pixels. */
  readonly offset: number;
  /** The RGB values of each palette entry. */
  readonly palette: Uint8Array;
  /** The masks of red, green, blue and alpha, for 16 and 32 bits per pixel. */
  readonly masks: readonly [number, number, number, number];
}

export const UNCOMPRESSED = 0;
export const RLE8 = 1;
export const RLE4 = 2;
export const BIT_FIELDS = 3;
export const ALPHA_BIT_FIELDS = 6;

export const unknownBmp = ({ bits, compression }: Pick<BmpHeader, 'bits' | 'compression'>): MediaRejected =>
  new MediaRejected(
    'unsupported',
    `The BMP file has ${bits} bits per pixel with compression ${compression}, which is not supported.`,
  );

export function readBmpHeader(view: DataView): BmpHeader {
  const size = view.getUint32(14, true);
  const old = size === 12;
  const width = old ? view.getUint16(18, true) : view.getInt32(18, true);
  const signedHeight = old ? view.getInt16(20, true) : view.getInt32(22, true);
  const bits = view.getUint16(old ? 24 : 28, true);
  const compression = old ? UNCOMPRESSED : view.getUint32(30, true);
  const height = Math.abs(signedHeight);
  checkDimensions(width, height);
  if (![1, 4, 8, 16, 24, 32].includes(bits)) throw unknownBmp({ bits, compression });
  const afterMasks = 14 + size + (size === 40 ? maskBytes(compression) : 0);
  const given = old ? 0 : view.getUint32(46, true);
  const colours = bits > 8 ? 0 : Math.min(given || 1 << bits, 1 << bits);
  const stride = old ? 3 : 4;
  const givenOffset = view.getUint32(10, true);
  return {
    width,
    height,
    topDown: signedHeight < 0,
    bits,
    compression,
    // Some files give the offset of the palette there.
    offset: givenOffset === afterMasks ? afterMasks + colours * stride : givenOffset,
    palette: readPalette(view, afterMasks, colours, stride),
    masks: readMasks(view, size, bits, compression),
  };
}

const maskBytes = (compression: number): number =>
  compression === BIT_FIELDS ? 12 : compression === ALPHA_BIT_FIELDS ? 16 : 0;

function readPalette(view: DataView, start: number, colours: number, stride: number): Uint8Array {
  const palette = new Uint8Array(256 * 3);
  for (let i = 0; i < colours; i++) {
    for (let c = 0; c < 3; c++) palette[i * 3 + c] = view.getUint8(start + i * stride + 2 - c);
  }
  return palette;
}

function readMasks(view: DataView, size: number, bits: number, compression: number): BmpHeader['masks'] {
  if (compression === BIT_FIELDS || compression === ALPHA_BIT_FIELDS) {
    const alpha = size >= 56 || compression === ALPHA_BIT_FIELDS ? view.getUint32(66, true) : 0;
    return [view.getUint32(54, true), view.getUint32(58, true), view.getUint32(62, true), alpha];
  }
  return bits === 16 ? [0x7c00, 0x03e0, 0x001f, 0] : [0xff0000, 0xff00, 0xff, 0];
}

/** The row in the file, which is stored bottom-up unless the header says otherwise. */
export const lineOf = ({ topDown, height }: BmpHeader, y: number): number => (topDown ? y : height - 1 - y);
