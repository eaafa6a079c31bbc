import { MediaRejected } from '../media-rejected';
import type { TiffHeader } from './tiff-header';

export interface Extent {
  readonly lowest: number;
  readonly highest: number;
  /** Whether all samples are integers. */
  readonly isWhole: boolean;
}

export interface Scale {
  /** The sample value displayed as black. */
  readonly low: number;
  /** The sample value displayed as white. */
  readonly high: number;
}

/** The minimum number of the 255 grey levels between the darkest and the lightest sample; below it nothing would be visible. */
const MIN_STEPS = 4;

/**
 * Determines the value range of the samples from the file's tags or their type. A guess would give a black, white or low-contrast image.
 */
export function sampleScale(header: Pick<TiffHeader, 'bits' | 'kind' | 'range'>, extent: Extent): Scale {
  const { bits, kind, range } = header;
  if (range !== undefined) return { low: range[0], high: range[1] };
  const scale = kind === 'float' ? floatScale(extent) : wholeScale(kind === 'signed', bits, extent);
  // Unsigned samples of 8 to 16 bits are taken as they are, even if the image is dark.
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
