import { z } from 'zod';
import type { Tensor } from 'onnxruntime-node';
import { ModelError } from '../model-error';
import type { Pixels } from '../picture-model';
import { resizeAsPillow, type ResampleFilter, type Size } from '../resizing/resize-as-pillow';

const BATCH = 16;

/** The processors that the fields below describe completely. */
const KNOWN_PROCESSORS = [
  'Beit',
  'Bit',
  'Blip',
  'CLIP',
  'ConditionalDetr',
  'DINOv3ViT',
  'DeformableDetr',
  'DeiT',
  'Detr',
  'OwlViT',
  'RTDetr',
  'Siglip',
  'ViT',
  'Yolos',
];
const ENDINGS = ['ImageProcessor', 'ImageProcessorFast', 'FeatureExtractor'];

const MIN_SIDE = 672;
/** For models that accept pictures of any size. */
const UNSCALED_SIDE = 2048;

const side = z.int().min(1).max(4096);
const exact = z.object({ height: side, width: side });
const three = z.tuple([z.number(), z.number(), z.number()]);

const processorSchema = z.object({
  image_processor_type: z.string().optional(),
  /** The name of the processor in older folders. */
  feature_extractor_type: z.string().optional(),
  do_resize: z.boolean().nullish(),
  size: z.union([side, exact, z.object({ shortest_edge: side, longest_edge: side.nullish() })]).nullish(),
  max_size: side.nullish(),
  resample: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(2),
  do_center_crop: z.boolean().nullish(),
  crop_size: z.union([side, exact]).nullish(),
  do_rescale: z.boolean().nullish(),
  rescale_factor: z
    .number()
    .positive()
    .default(1 / 255),
  do_normalize: z.boolean().nullish(),
  image_mean: three.default([0.5, 0.5, 0.5]),
  image_std: three.default([0.5, 0.5, 0.5]),
});

type Processor = z.infer<typeof processorSchema>;

/** A picture as model input: three planes of float32. */
export interface PreparedPicture extends Size {
  readonly values: Float32Array;
}

type Sizing =
  | ({ readonly kind: 'exact' } & Size)
  | { readonly kind: 'edges'; readonly shortest: number; readonly longest: number | null };

/** Prepares pictures as described in preprocessor_config.json, with the same results as Python's image processors with Pillow. */
export class PicturePreparation {
  private constructor(
    private readonly sizing: Sizing | null,
    private readonly crop: Size | null,
    private readonly filter: ResampleFilter,
    /** YOLOS only accepts multiples of this size. */
    private readonly multiple: number,
    /** The input value of each pixel level, for each channel. */
    private readonly levels: Float32Array,
  ) {}

  static from(path: string, content: unknown): PicturePreparation {
    const { data: processor, error } = processorSchema.safeParse(content);
    if (processor === undefined) {
      const issue = error.issues[0]!;
      throw new ModelError(`${path} can't be used: ${issue.path.join('.')} ${issue.message}.`);
    }
    const type = processor.image_processor_type ?? processor.feature_extractor_type ?? '';
    const family = KNOWN_PROCESSORS.find((known) => ENDINGS.some((ending) => type === `${known}${ending}`));
    if (family === undefined) {
      throw new ModelError(
        `${path} requires the image processor ${type === '' ? '(none)' : type}. Supported are ${KNOWN_PROCESSORS.join(', ')}.`,
      );
    }
    const crop = cropOf(processor);
    return new PicturePreparation(
      sizingOf(processor, crop),
      crop,
      processor.resample,
      family === 'Yolos' ? 16 : 1,
      levelsOf(processor),
    );
  }

  /** The size of all prepared pictures; null if it depends on the picture. */
  get fixedSize(): Size | null {
    if (this.crop !== null) return this.crop;
    return this.sizing?.kind === 'exact' ? this.sizing : null;
  }

  /**
   * Pictures are first scaled to this side, then as the folder describes. With a smaller side, the result would differ visibly from a picture that is
   * scaled once; a larger one takes longer and changes little.
   */
  get longestSide(): number {
    const { sizing, crop } = this;
    if (sizing === null) return crop === null ? UNSCALED_SIDE : Math.max(UNSCALED_SIDE, crop.width, crop.height);
    const side = sizing.kind === 'exact' ? Math.max(sizing.width, sizing.height) : sizing.shortest;
    return Math.max(MIN_SIDE, 3 * side);
  }

  prepare(picture: Pixels): PreparedPicture {
    const scaled = this.scaledSize(picture);
    const target = this.crop ?? scaled;
    const window = {
      left: Math.max(0, (scaled.width - target.width) >> 1),
      top: Math.max(0, (scaled.height - target.height) >> 1),
      width: Math.min(scaled.width, target.width),
      height: Math.min(scaled.height, target.height),
    };
    const visible = resizeAsPillow(picture, scaled, this.filter, window);
    return { ...target, values: this.planes(visible, target) };
  }

  /** Based on the size in the file, because a difference of one pixel would move the crop. */
  private scaledSize({ width, height, original = { width, height } }: Pixels): Size {
    const { sizing } = this;
    if (sizing === null) return { width, height };
    if (sizing.kind === 'exact') return { width: sizing.width, height: sizing.height };
    const short = Math.min(original.width, original.height);
    const long = Math.max(original.width, original.height);
    const { shortest, longest } = sizing;
    const isCut = longest !== null && (long / short) * shortest > longest;
    // In the same order as in Python, because the result is rounded down.
    const edge = isCut ? (longest * short) / long : shortest;
    const [small, large] = [Math.round(edge), Math.trunc((edge * long) / short)].map((value) =>
      Math.max(this.multiple, value - (value % this.multiple)),
    ) as [number, number];
    return original.width < original.height ? { width: small, height: large } : { width: large, height: small };
  }

  /** A picture smaller than the target is padded with black. */
  private planes({ data, width, height }: Pixels, target: Size): Float32Array {
    const plane = target.width * target.height;
    const values = new Float32Array(plane * 3);
    if (width < target.width || height < target.height)
      for (let channel = 0; channel < 3; channel++)
        values.fill(this.levels[channel * 256]!, channel * plane, (channel + 1) * plane);
    const left = (target.width - width + 1) >> 1;
    const top = (target.height - height + 1) >> 1;
    for (let y = 0, from = 0; y < height; y++) {
      for (let x = 0, to = (top + y) * target.width + left; x < width; x++, to++, from += 3) {
        values[to] = this.levels[data[from]!]!;
        values[plane + to] = this.levels[256 + data[from + 1]!]!;
        values[2 * plane + to] = this.levels[512 + data[from + 2]!]!;
      }
    }
    return values;
  }
}

const square = (length: number): Size => ({ width: length, height: length });

function cropOf({ do_center_crop, crop_size }: Processor): Size | null {
  if (do_center_crop !== true || crop_size === null || crop_size === undefined) return null;
  return typeof crop_size === 'number' ? square(crop_size) : crop_size;
}

/** In older folders, a size is one number: the shorter side for pictures that are cropped, otherwise both sides. */
function sizingOf({ do_resize, size, max_size }: Processor, crop: Size | null): Sizing | null {
  if (do_resize === false || size === null || size === undefined) return null;
  if (typeof size !== 'number') {
    if ('width' in size) return { kind: 'exact', ...size };
    return { kind: 'edges', shortest: size.shortest_edge, longest: size.longest_edge ?? null };
  }
  if (crop === null && max_size == null) return { kind: 'exact', ...square(size) };
  return { kind: 'edges', shortest: size, longest: max_size ?? null };
}

function levelsOf({ do_rescale, rescale_factor, do_normalize, image_mean, image_std }: Processor): Float32Array {
  const levels = new Float32Array(3 * 256);
  for (let channel = 0; channel < 3; channel++) {
    for (let level = 0; level < 256; level++) {
      const value = do_rescale === false ? level : level * rescale_factor;
      levels[channel * 256 + level] =
        do_normalize === false ? value : (value - image_mean[channel]!) / image_std[channel]!;
    }
  }
  return levels;
}

/** Combines prepared pictures of the same size into one tensor. */
export async function pictureTensor(pictures: readonly PreparedPicture[]): Promise<Tensor> {
  const { Tensor } = await import('onnxruntime-node');
  const { width, height } = pictures[0]!;
  const size = 3 * width * height;
  const values = new Float32Array(pictures.length * size);
  for (const [at, picture] of pictures.entries()) values.set(picture.values, at * size);
  return new Tensor('float32', values, [pictures.length, 3, height, width]);
}

/** Groups pictures for single runs of a model: of the same size, and limited in number. */
export function* batches(pictures: readonly Pixels[], preparation: PicturePreparation): Generator<PreparedPicture[]> {
  const most = preparation.fixedSize === null ? 1 : BATCH;
  for (let first = 0; first < pictures.length; first += most) {
    yield pictures.slice(first, first + most).map((picture) => preparation.prepare(picture));
  }
}
