import type { GeoTIFFImage } from 'geotiff' with { 'resolution-mode': 'import' };
import { asOrientation, type Orientation } from './orientation';

export interface TiffHeader {
  readonly image: GeoTIFFImage;
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly kind: 'unsigned' | 'signed' | 'float' | 'unknown';
  readonly compression: number;
  readonly photometric: number | undefined;
  readonly orientation: Orientation;
  /** The darkest and lightest sample values according to the file. */
  readonly range: readonly [low: number, high: number] | undefined;
  /** Whether all pixel data is within the file. */
  readonly isComplete: boolean;
}

const KINDS: Readonly<Record<number, TiffHeader['kind']>> = { 1: 'unsigned', 2: 'signed', 3: 'float', 4: 'unsigned' };
const JPEG_OFFSET = 513;
const JPEG_LENGTH = 514;

/** Reads the header of the first image in a TIFF; undefined if the file is damaged or not supported by geotiff. */
export async function tiffHeader(bytes: Uint8Array): Promise<TiffHeader | undefined> {
  // Loaded on first use, because most folders contain no such file.
  const { fromArrayBuffer } = await import('geotiff');
  try {
    const tiff = await fromArrayBuffer(bufferOf(bytes));
    return await headerOf(await tiff.getImage(0), bytes.length);
  } catch {
    // The next reader reports the error.
    return undefined;
  }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer =>
  byteOffset === 0 && buffer.byteLength === byteLength
    ? (buffer as ArrayBuffer)
    : (buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);

type TagName = Parameters<GeoTIFFImage['fileDirectory']['loadValue']>[0];
type NumbersOf = (tag: TagName) => Promise<number[]>;

async function headerOf(image: GeoTIFFImage, fileBytes: number): Promise<TiffHeader> {
  const numbers: NumbersOf = async (tag) => {
    const value: unknown = await image.fileDirectory.loadValue(tag);
    if (value === undefined) return [];
    return typeof value === 'object' ? Array.from(value as ArrayLike<number>, Number) : [Number(value)];
  };
  const [format = 1] = await numbers('SampleFormat');
  return {
    image,
    width: image.getWidth(),
    height: image.getHeight(),
    bits: (await numbers('BitsPerSample'))[0] ?? 1,
    kind: KINDS[format] ?? 'unknown',
    compression: (await numbers('Compression'))[0] ?? 1,
    photometric: (await numbers('PhotometricInterpretation'))[0],
    orientation: asOrientation((await numbers('Orientation'))[0]) ?? 1,
    range: rangeOf(await numbers('SMinSampleValue'), await numbers('SMaxSampleValue')) ?? (await imageJRange(image)),
    isComplete: await liesWithin(fileBytes, numbers),
  };
}

function rangeOf(lowest: readonly number[], highest: readonly number[]): TiffHeader['range'] {
  const range = [Math.min(...lowest), Math.max(...highest)] as const;
  return Number.isFinite(range[0]) && Number.isFinite(range[1]) && range[1] > range[0] ? range : undefined;
}

const DESCRIPTION_CHARACTERS = 4096;

/** ImageJ writes the values displayed as black and white into the description. */
async function imageJRange(image: GeoTIFFImage): Promise<TiffHeader['range']> {
  const value: unknown = await image.fileDirectory.loadValue('ImageDescription');
  if (typeof value !== 'string' || !value.startsWith('ImageJ=')) return undefined;
  const lines = value.slice(0, DESCRIPTION_CHARACTERS).split('\n');
  const numberAfter = (name: string): number[] =>
    lines.filter((line) => line.startsWith(name)).map((line) => Number.parseFloat(line.slice(name.length)));
  return rangeOf(numberAfter('min='), numberAfter('max='));
}

async function liesWithin(fileBytes: number, numbers: NumbersOf): Promise<boolean> {
  for (const [offsetTag, lengthTag] of [
    ['StripOffsets', 'StripByteCounts'],
    ['TileOffsets', 'TileByteCounts'],
    [JPEG_OFFSET, JPEG_LENGTH],
  ] as const) {
    const lengths = await numbers(lengthTag);
    const offsets = await numbers(offsetTag);
    if (offsets.some((offset, i) => offset + (lengths[i] ?? 0) > fileBytes)) return false;
  }
  return true;
}
