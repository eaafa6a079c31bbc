import { MediaRejected } from '../media-analysis';
import { openRaw } from './decode-with-sharp';
import type { OpenedImage, RawImage } from './decoded-image';
import { blockOf, blockRowBytes, boundedDecoders } from './tiff-blocks';
import type { TiffHeader } from './tiff-header';

interface Extent {
  readonly lowest: number;
  readonly highest: number;
  /** Whether all samples are integers. */
  readonly isWhole: boolean;
}

interface Scale {
  /** The sample value displayed as black. */
  readonly low: number;
  /** The sample value displayed as white. */
  readonly high: number;
}

/** The minimum number of the 255 grey levels between the darkest and the lightest sample; below it nothing would be visible. */
const MIN_STEPS = 4;

const WHITE_IS_ZERO = 0;
const RGB = 2;
/** The decoded samples in memory at a time, unless a single strip or tile is larger. */
const BAND_BYTES = 64 * 1024 * 1024;

type Samples =
  Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Reads TIFF samples that other readers do not convert to 8 bits: floating point, signed, 12 or 32 bits. */
export function openTiffSamples(header: TiffHeader, swapRedBlue: boolean): OpenedImage {
  const { width, height, photometric } = header;
  if (photometric !== undefined && photometric > RGB) {
    throw new MediaRejected(
      'unsupported',
      `The TIFF has ${header.bits}-bit ${header.kind} samples of colours that are not supported (photometric interpretation ${photometric}).`,
    );
  }
  const channels = photometric === RGB && header.image.getSamplesPerPixel() >= 3 ? 3 : 1;
  const bands = new Bands(header, channels);
  const decodedBytes = bands.bytes + width * height * channels;
  return openRaw({ width, height, decodedBytes }, () => decode(header, bands), swapRedBlue, header.orientation);
}

async function decode(header: TiffHeader, bands: Bands): Promise<RawImage> {
  const { width, height, photometric } = header;
  const { channels } = bands;
  const scale = sampleScale(header, await bands.extent());
  const data = new Uint8Array(width * height * channels);
  for (let top = 0; top < height; top += bands.lines) {
    fill(data.subarray(top * width * channels), await bands.read(top), scale, photometric === WHITE_IS_ZERO);
  }
  return { data, width, height, channels };
}

class Bands {
  readonly lines: number;
  /** The size of the strips or tiles of a band, compressed and expanded, and of its samples. */
  readonly bytes: number;
  private only: Samples | undefined;

  constructor(
    private readonly header: TiffHeader,
    readonly channels: 1 | 3,
  ) {
    const { image, width, height, bits } = header;
    const rowBytes = blockRowBytes(header);
    const blockLines = Math.min(height, image.getTileHeight());
    this.lines = Math.max(1, Math.floor(BAND_BYTES / rowBytes)) * blockLines;
    const rows = Math.ceil(Math.min(height, this.lines) / blockLines);
    this.bytes = rows * rowBytes + Math.min(height, this.lines) * width * channels * Math.max(4, bits / 8);
  }

  async read(top: number): Promise<Samples> {
    if (this.only) return this.only;
    const { image, width, height } = this.header;
    const geotiff = await import('geotiff');
    const samples = (await image.readRasters({
      pool: boundedDecoders(geotiff, blockOf(this.header)),
      interleave: true,
      samples: this.channels === 3 ? [0, 1, 2] : [0],
      window: [0, top, width, Math.min(height, top + this.lines)],
    })) as unknown as Samples;
    if (this.lines >= height) this.only = samples;
    return samples;
  }

  async extent(): Promise<Extent> {
    let [lowest, highest, isWhole] = [Infinity, -Infinity, true];
    for (let top = 0; top < this.header.height; top += this.lines) {
      for (const sample of await this.read(top)) {
        if (sample < lowest) lowest = sample;
        if (sample > highest) highest = sample;
        if (isWhole && !Number.isInteger(sample)) isWhole = false;
      }
    }
    return { lowest, highest, isWhole };
  }
}

/** NaN becomes black. */
function fill(data: Uint8Array, samples: Samples, { low, high }: Scale, isInverted: boolean): void {
  const factor = 255 / (high - low);
  for (let i = 0; i < samples.length; i++) {
    const value = Math.max(0, Math.min(255, Math.round((samples[i]! - low) * factor)));
    data[i] = isInverted ? 255 - value : value;
  }
}

/** Determines the value range of the samples from the file's tags or their type. Guessing could result in a black, white or low-contrast image. */
function sampleScale(header: Pick<TiffHeader, 'bits' | 'kind' | 'range'>, extent: Extent): Scale {
  const { bits, kind, range } = header;
  if (range !== undefined) return { low: range[0], high: range[1] };
  const scale = kind === 'float' ? floatScale(extent) : wholeScale(kind === 'signed', bits, extent);
  // Unsigned samples of 8 to 16 bits are used unchanged, even if the image is dark.
  const isTypical = kind === 'unsigned' && bits <= 16;
  if (scale === undefined || (!isTypical && isInvisible(scale, extent))) throw unknownScale(header, extent);
  return scale;
}

function floatScale({ lowest, highest, isWhole }: Extent): Scale | undefined {
  if (lowest >= 0 && highest <= 1) return { low: 0, high: 1 };
  return isWhole && lowest >= 0 && highest <= 255 ? { low: 0, high: 255 } : undefined;
}

/** Samples of 32 bits often contain 8-bit or 16-bit values. */
function wholeScale(isSigned: boolean, bits: number, { lowest, highest }: Extent): Scale {
  if (lowest < 0) return { low: -(2 ** (bits - 1)), high: 2 ** (bits - 1) - 1 };
  if (bits > 16 && highest <= 255) return { low: 0, high: 255 };
  if (bits > 16 && highest <= 65_535) return { low: 0, high: 65_535 };
  return { low: 0, high: 2 ** (isSigned ? bits - 1 : bits) - 1 };
}

const isInvisible = ({ low, high }: Scale, { lowest, highest }: Extent): boolean =>
  highest > lowest && ((highest - lowest) / (high - low)) * 255 < MIN_STEPS;

function unknownScale({ bits, kind }: Pick<TiffHeader, 'bits' | 'kind'>, { lowest, highest }: Extent): MediaRejected {
  const what = kind === 'float' ? `${bits}-bit floating-point` : `${bits}-bit ${kind}`;
  return new MediaRejected(
    'unsupported',
    `The TIFF has ${what} samples from ${lowest} to ${highest} and does not say which are black and white. ` +
      'Add the tags SMinSampleValue and SMaxSampleValue, or save it with 8 or 16 bits.',
  );
}
