import { inflateSync, zstdDecompressSync } from 'node:zlib';
import type * as Geotiff from 'geotiff' with { 'resolution-mode': 'import' };
import { errorCode } from '../../../platform/errors/error-code';
import { MediaRejected } from '../media-rejected';
import { expandLzw, expandPackBits, tooLong } from './expand-block';
import type { TiffHeader } from './tiff-header';

type BlockParameters = ConstructorParameters<typeof Geotiff.BaseDecoder>[0] & {
  readonly LercParameters?: ArrayLike<number>;
};

/** A strip or tile, by the header. */
export interface Block {
  readonly samples: number;
  readonly bytes: number;
}

const LERC = 34_887;
const UNCOMPRESSED = 1;
const LERC_UNCOMPRESSED = [4, 0] as const;
/** LERC data that does not compress is a little longer than its samples. */
const LERC_HEADER_BYTES = 64 * 1024;

export function blockOf({ image, bits }: Pick<TiffHeader, 'image' | 'bits'>): Block {
  const [width, height] = [image.getTileWidth(), image.getTileHeight()];
  const perPixel = image.getSamplesPerPixel();
  return { samples: width * height * perPixel, bytes: Math.ceil((width * perPixel * bits) / 8) * height };
}

/** Of the strips or tiles beside each other, which may lie partly outside the image. */
export const blockRowBytes = (header: Pick<TiffHeader, 'image' | 'bits' | 'width'>): number =>
  blockOf(header).bytes * Math.ceil(header.width / Math.max(1, header.image.getTileWidth()));

/** In the place of geotiff's pool, whose decoders produce as many bytes as the compressed data says. */
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

/** A block with more bytes than the header says is damaged. One chunk, so that the bytes are not copied. */
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

/** The first blob alone, of which geotiff takes the pixels, unless it says that it holds more of them than the block. */
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
