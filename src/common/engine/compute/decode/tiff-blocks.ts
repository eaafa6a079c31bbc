import { inflateSync, zstdDecompressSync } from 'node:zlib';
import type * as Geotiff from 'geotiff';
import { errorCode } from '../../../platform/errors/error-code';
import { MediaRejected } from '../media-analysis';
import type { TiffHeader } from './tiff-header';

type BlockParameters = ConstructorParameters<typeof Geotiff.BaseDecoder>[0] & {
  readonly LercParameters?: ArrayLike<number>;
};

/** A strip or tile, according to the header. */
export interface Block {
  readonly samples: number;
  readonly bytes: number;
}

const LERC = 34_887;
const UNCOMPRESSED = 1;
const LERC_UNCOMPRESSED = [4, 0] as const;
/** Incompressible LERC data is slightly longer than its samples. */
const LERC_HEADER_BYTES = 64 * 1024;

export function blockOf({ image, bits }: Pick<TiffHeader, 'image' | 'bits'>): Block {
  const [width, height] = [image.getTileWidth(), image.getTileHeight()];
  const perPixel = image.getSamplesPerPixel();
  return { samples: width * height * perPixel, bytes: Math.ceil((width * perPixel * bits) / 8) * height };
}

/** The bytes per row of adjacent strips or tiles, which may extend beyond the image. */
export const blockRowBytes = (header: Pick<TiffHeader, 'image' | 'bits' | 'width'>): number =>
  blockOf(header).bytes * Math.ceil(header.width / Math.max(1, header.image.getTileWidth()));

/** Replaces geotiff's pool, whose decoders produce as many bytes as the compressed data declares. */
export function boundedDecoders({ getDecoder }: Pick<typeof Geotiff, 'getDecoder'>, block: Block): Geotiff.Pool {
  const decoder = (compression: number, parameters: BlockParameters): Pick<Geotiff.BaseDecoder, 'decode'> => ({
    decode: async (packed) => {
      const bytes = bufferOf(expanded(new Uint8Array(packed), compression, parameters, block));
      if (compression !== LERC) return (await getDecoder(UNCOMPRESSED, parameters)).decode(bytes);
      return (await getDecoder(LERC, { ...parameters, LercParameters: LERC_UNCOMPRESSED } as BlockParameters)).decode(
        bytes,
      );
    },
  });
  return { bindParameters: decoder } as unknown as Geotiff.Pool;
}

function expanded(packed: Uint8Array, compression: number, parameters: BlockParameters, { samples, bytes }: Block) {
  switch (compression) {
    case UNCOMPRESSED:
      return packed;
    case 5:
      return expandLzw(packed, bytes);
    case 8:
    case 32_946:
      return inflate(packed, bytes);
    case 32_773:
      return expandPackBits(packed, bytes);
    case 50_000:
      return expandZstd(packed, bytes);
    case LERC:
      return lercBlob(expandLerc(packed, parameters.LercParameters?.[1], bytes + LERC_HEADER_BYTES), samples);
    default:
      throw new MediaRejected(
        'unsupported',
        `The TIFF has samples of a kind that its compression (${compression}) can't hold.`,
      );
  }
}

/** A block with more bytes than the header declares is damaged. The output is one chunk, so that it is not copied. */
const inflate = (packed: Uint8Array, most: number): Uint8Array =>
  orTooLong(() => inflateSync(packed, { maxOutputLength: most, chunkSize: Math.max(most, 64) }));

const expandZstd = (packed: Uint8Array, most: number): Uint8Array =>
  orTooLong(() => zstdDecompressSync(packed, { maxOutputLength: most, chunkSize: Math.max(most, 64) }));

function orTooLong(expand: () => Uint8Array): Uint8Array {
  try {
    return expand();
  } catch (error) {
    throw errorCode(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLong() : error;
  }
}

function expandLerc(packed: Uint8Array, compression: number | undefined, most: number): Uint8Array {
  return compression === 1 ? inflate(packed, most) : compression === 2 ? expandZstd(packed, most) : packed;
}

/** Returns the first blob only, which geotiff decodes, unless it declares more pixels than the block has. */
function lercBlob(bytes: Uint8Array, samples: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (Buffer.from(bytes.subarray(0, 6)).toString('latin1') !== 'Lerc2 ')
    throw new MediaRejected('unreadable', 'The LERC data of the TIFF is damaged.');
  const version = view.getInt32(6, true);
  const at = version >= 3 ? 14 : 10;
  const [height, width] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
  const depth = version >= 4 ? view.getUint32(at + 8, true) : 1;
  const blobBytes = view.getInt32(at + (version >= 4 ? 20 : 16), true);
  if (height * width * depth > samples) throw tooLong();
  return bytes.subarray(0, Math.max(0, blobBytes));
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBufferLike =>
  byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);

const tooLong = (): MediaRejected =>
  new MediaRejected('unreadable', 'A strip or tile of the TIFF holds more bytes than its header says.');

const CLEAR = 256;
const END = 257;
const FIRST_STRING = 258;
const CODES = 4096;

/** Expands the LZW of TIFF. Each string of the table is a position in the output. */
export function expandLzw(packed: Uint8Array, most: number): Uint8Array {
  const expanded = new Uint8Array(most);
  const starts = new Uint32Array(CODES);
  const lengths = new Uint16Array(CODES);
  let [next, bits, to, at, held, heldBits] = [FIRST_STRING, 9, 0, 0, 0, 0];
  let [lastStart, lastLength] = [0, 0];
  for (;;) {
    while (heldBits < bits && at < packed.length) {
      held = ((held << 8) | packed[at++]!) & 0xff_ffff;
      heldBits += 8;
    }
    if (heldBits < bits) break;
    const code = (held >>> (heldBits - bits)) & ((1 << bits) - 1);
    heldBits -= bits;
    if (code === END) break;
    if (code === CLEAR) {
      [next, bits, lastLength] = [FIRST_STRING, 9, 0];
      continue;
    }
    if (code > next || (code === next && lastLength === 0)) throw new Error('The LZW data is damaged');
    const isNew = code === next;
    const length = code < CLEAR ? 1 : isNew ? lastLength + 1 : lengths[code]!;
    if (to + length > most) throw tooLong();
    if (code < CLEAR) expanded[to] = code;
    else expanded.copyWithin(to, isNew ? lastStart : starts[code]!, (isNew ? lastStart : starts[code]!) + length);
    // A string that is not in the table yet is the last one followed by its own first byte.
    if (isNew) expanded[to + length - 1] = expanded[to]!;
    if (lastLength > 0 && next < CODES) {
      [starts[next], lengths[next]] = [lastStart, lastLength + 1];
      next += 1;
    }
    [lastStart, lastLength] = [to, length];
    to += length;
    if (next >= (1 << bits) - 1 && bits < 12) bits += 1;
  }
  return expanded.subarray(0, to);
}

function expandPackBits(packed: Uint8Array, most: number): Uint8Array {
  const expanded = new Uint8Array(most);
  let to = 0;
  for (let at = 0; at < packed.length;) {
    const head = packed[at++]!;
    if (head === 128) continue;
    const count = head < 128 ? head + 1 : 257 - head;
    if (to + count > most) throw tooLong();
    if (head < 128) expanded.set(packed.subarray(at, at + count), to);
    else expanded.fill(packed[at]!, to, to + count);
    to += count;
    at += head < 128 ? count : 1;
  }
  return expanded.subarray(0, to);
}
