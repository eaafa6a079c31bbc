import { z } from 'zod';
import { MAX_DIMENSION } from '../media-table/media-row';
import { NEAR_DUPLICATES } from '../similarity/near-duplicates';

/** The types of models that can be applied to a dataset. */
export const ENRICHMENT_TYPES = [
  'CAPTION_IMAGES',
  'OBJECT_DETECTION',
  'CAPTION_OBJECTS',
  'IMAGE_TAGGING',
  'TEXT_RECOGNITION',
  'MULTIMODEL_IMAGE_ENCODING',
  'IMAGE_ENCODING',
] as const;
export type EnrichmentType = (typeof ENRICHMENT_TYPES)[number];

/** Text encodings are selected by a setting and cannot be applied. */
export const MODEL_TYPES = [...ENRICHMENT_TYPES, 'TEXT_ENCODING'] as const;
export type ModelType = (typeof MODEL_TYPES)[number];

export const MODEL_ID = /^[a-z0-9][a-z0-9._-]{0,99}$/;
export const DEFAULT_VENDOR = 'Local';

const cosine = z.number().min(-1).max(1);

export const ladderSchema = z
  .tuple([cosine, cosine, cosine, cosine, cosine])
  .refine((ladder) => ladder.every((value, level) => level === 0 || value <= ladder[level - 1]!), {
    message: 'must fall from level 0 to level 4',
  });

/** With a lower cosine of near duplicates, pairs of unrelated pictures would be kept. */
export const LEAST_NEAR_DUPLICATES = 0.2;
/** With a higher one, 32-bit cosines could not tell similarities apart. */
const MOST_NEAR_DUPLICATES = 0.999;

/** A file in the model's folder or in a subfolder. */
export const modelFile = z.string().regex(/^(?!\.)[\w.-]+(\/(?!\.)[\w.-]+)*$/);

/** The fields of every manifest. A runtime adds `files` and `preprocessing` as needed. */
const common = {
  id: z.string().regex(MODEL_ID),
  name: z.string().min(1).max(200),
  vendor: z.string().min(1).max(200).default(DEFAULT_VENDOR),
  description: z.string().min(1).max(10_000),
  licence: z.string().min(1).max(1_000),
  /** How the model was made, and from which data. */
  provenance: z.string().min(1).max(10_000).optional(),
  /** A model that is `Coming Soon` is listed, but cannot be applied. */
  status: z.enum(['Active', 'Coming Soon']).default('Active'),
  /** The types that must be applied first. */
  dependencies: z.array(z.enum(ENRICHMENT_TYPES)).min(1).nullable().default(null),
  runtime: z.string(),
};

export const dimension = z.int().min(1).max(MAX_DIMENSION);

export const imageManifestFields = {
  ...common,
  type: z.literal('IMAGE_ENCODING'),
  outputs: z.object({ dimension }),
  calibration: z.object({
    /** The cosines at which items join, from level 0 (the finest) to 4. */
    ladder: ladderSchema,
    /** The cosine from which two pictures count as near duplicates. */
    nearDuplicates: z.number().min(LEAST_NEAR_DUPLICATES).max(MOST_NEAR_DUPLICATES).default(NEAR_DUPLICATES),
  }),
};

/** The minimum difference of the two cosines; below it, the error of approximate distances would be too large. */
const LEAST_RANGE = 0.01;

/** The cosines of a text with an unrelated picture or caption and with a matching one, which correspond to similarity 0 and 1. */
const textCalibration = z
  .strictObject({ unrelated: cosine, matching: cosine })
  .refine(({ unrelated, matching }) => matching - unrelated >= LEAST_RANGE, {
    message: `\`matching\` must be greater than \`unrelated\` by ${LEAST_RANGE} or more`,
  });

/** Of an image model whose vectors end with what a classifier learned: how texts are compared with them. */
export const imageTexts = z.strictObject({
  /** A file with nouns, and the classes that they stand for. */
  words: modelFile,
  /** A file with a vector of 32-bit floats for each class, in the space of the last numbers of a picture's vector. */
  classes: modelFile,
  calibration: textCalibration,
});

export type ImageTexts = z.infer<typeof imageTexts>;

export const textManifestFields = {
  ...common,
  type: z.literal('TEXT_ENCODING'),
  outputs: z.object({ dimension }),
  /** Without it, cosines are similarities. */
  calibration: textCalibration.optional(),
};

/** The execution providers of ONNX Runtime. All but `cpu` need a GPU and its libraries. */
export const MODEL_DEVICES = ['cpu', 'cuda', 'webgpu'] as const;
export type ModelDevice = (typeof MODEL_DEVICES)[number];
export const modelDevice = z.enum(MODEL_DEVICES).default('cpu');

const picture = <Type extends EnrichmentType>(type: Type) => ({ ...common, type: z.literal(type) });

/** For types whose results need no fields besides their type. */
export const captionManifestFields = picture('CAPTION_IMAGES');
export const objectCaptionManifestFields = {
  ...picture('CAPTION_OBJECTS'),
  dependencies: common.dependencies.default(['OBJECT_DETECTION']),
};
export const taggingManifestFields = picture('IMAGE_TAGGING');
export const detectionManifestFields = picture('OBJECT_DETECTION');
export const textRecognitionManifestFields = picture('TEXT_RECOGNITION');

export const multimodalManifestFields = {
  ...picture('MULTIMODEL_IMAGE_ENCODING'),
  outputs: z.object({ dimension }),
  calibration: textCalibration.default({ unrelated: 0, matching: 1 }),
};

type Manifest<Fields extends z.core.$ZodLooseShape> = z.infer<z.ZodObject<Fields>>;

export type ImageModelManifest = Manifest<typeof imageManifestFields> & { readonly texts?: ImageTexts | undefined };
export type TextModelManifest = Manifest<typeof textManifestFields>;
export type CaptionManifest = Manifest<typeof captionManifestFields>;
export type ObjectCaptionManifest = Manifest<typeof objectCaptionManifestFields>;
export type TaggingManifest = Manifest<typeof taggingManifestFields>;
export type DetectionManifest = Manifest<typeof detectionManifestFields>;
export type TextRecognitionManifest = Manifest<typeof textRecognitionManifestFields>;
export type MultimodalManifest = Manifest<typeof multimodalManifestFields>;
