import { MediaRejected } from '../media-rejected';
import { openRaw } from './decode-with-sharp';
import type { OpenedImage, RawImage } from './decoded-image';
import { sampleScale, type Extent, type Scale } from './sample-scale';
import { blockOf, blockRowBytes, boundedDecoders } from './tiff-blocks';
import type { TiffHeader } from './tiff-header';

const WHITE_IS_ZERO = 0;
const RGB = 2;
/** How many bytes of decoded samples are in memory at a time, unless a single strip or tile is larger. */
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
  /** The strips or tiles of a band, compressed and not, and its samples. */
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
