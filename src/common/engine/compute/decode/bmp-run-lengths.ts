import { lineOf, type BmpHeader } from './bmp-header';

const END_OF_LINE = 0;
const END_OF_IMAGE = 1;
const MOVE = 2;

/** Decodes RLE8 and RLE4 to palette indices; 0 where nothing is drawn. */
export function readRunLengths(view: DataView, header: BmpHeader): Uint8Array {
  const { width, height, bits } = header;
  const indices = new Uint8Array(width * height);
  let at = header.offset;
  let x = 0;
  let line = 0;
  const draw = (index: number): void => {
    if (x < width) indices[lineOf(header, line) * width + x++] = index;
  };
  while (line < height) {
    const count = view.getUint8(at++);
    const value = view.getUint8(at++);
    if (count > 0) {
      for (let i = 0; i < count; i++) draw(indexIn(value, i, bits));
    } else if (value === END_OF_LINE) {
      x = 0;
      line++;
    } else if (value === END_OF_IMAGE) {
      break;
    } else if (value === MOVE) {
      x += view.getUint8(at++);
      line += view.getUint8(at++);
    } else {
      for (let i = 0; i < value; i++) draw(indexIn(view.getUint8(at + ((i * bits) >> 3)), i, bits));
      at += Math.ceil((value * bits) / 16) * 2;
    }
  }
  return indices;
}

const indexIn = (byte: number, position: number, bits: number): number =>
  bits === 8 ? byte : position % 2 === 0 ? byte >> 4 : byte & 15;
