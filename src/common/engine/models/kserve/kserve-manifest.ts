import { z } from 'zod';
import {
  captionManifestFields,
  detectionManifestFields,
  dimension,
  modelFile,
  multimodalManifestFields,
  objectCaptionManifestFields,
  taggingManifestFields,
} from '../model-manifest';
import { BOX_UNITS } from '../servers/checked-findings';
import { serverFields } from '../servers/server-manifest';

const tensor = z.string().min(1).max(200);

/**
 * How the JPEG is sent: as a BYTES tensor with its base64 text in JSON, as a BYTES tensor with its bytes, or as a UINT8 tensor with its bytes. The
 * last two require the binary data extension, which Triton and OpenVINO support.
 */
export const PICTURE_FORMS = ['base64', 'bytes', 'uint8'] as const;

const kserveFields = {
  ...serverFields,
  version: z.string().min(1).max(100).optional(),
  input: z
    .strictObject({
      name: tensor.default('image'),
      form: z.enum(PICTURE_FORMS).default('base64'),
      /** Whether shapes start with the batch size, which is 1. */
      batched: z.boolean().default(false),
    })
    .prefault({}),
};

const server = z.strictObject(kserveFields);

const captionServer = z.strictObject({
  ...kserveFields,
  /** The BYTES input for the prompt. Without it, no prompt is sent. */
  promptInput: tensor.optional(),
  prompt: z.string().max(10_000).default(''),
});

/** A text file with one label per line; the first one belongs to class 0. */
const files = z.strictObject({ labels: modelFile }).optional();

const labelOutputs = {
  /** A BYTES output with a label for each score. */
  labels: tensor.optional(),
  /** An integer output with the line in the file of labels for each score. */
  classes: tensor.optional(),
  scores: tensor.default('scores'),
};

/** Results below it are ignored. */
const minConfidence = z.number().min(0).max(1).default(0.3);

interface Labelled {
  readonly files?: { readonly labels: string } | undefined;
  readonly outputs: { readonly labels?: string | undefined; readonly classes?: string | undefined };
}

const NO_LABELS = {
  path: ['outputs'],
  message: 'must name either `labels`, or `classes` together with a file of labels in `files`',
};

const namesLabels = ({ files: file, outputs: { labels, classes } }: Labelled): boolean =>
  labels === undefined ? file !== undefined : file === undefined && classes === undefined;

const captionOutputs = z.strictObject({ caption: tensor.default('caption') }).prefault({});

export const captionManifest = z.strictObject({
  ...captionManifestFields,
  server: captionServer,
  outputs: captionOutputs,
});

export const objectCaptionManifest = z.strictObject({
  ...objectCaptionManifestFields,
  server: captionServer,
  outputs: captionOutputs,
});

export const taggingManifest = z
  .strictObject({
    ...taggingManifestFields,
    server,
    files,
    outputs: z.strictObject(labelOutputs),
    minConfidence,
  })
  .refine(namesLabels, NO_LABELS);

export const detectionManifest = z
  .strictObject({
    ...detectionManifestFields,
    server,
    files,
    outputs: z.strictObject({ ...labelOutputs, boxes: tensor.default('boxes') }),
    boxes: z
      .strictObject({
        unit: z.enum(BOX_UNITS).default('fractions'),
        /** Left, top, right and bottom; or left, top, width and height. */
        form: z.enum(['corners', 'sizes']).default('corners'),
      })
      .prefault({}),
    minConfidence,
  })
  .refine(namesLabels, NO_LABELS)
  .refine(({ outputs: { labels, classes } }) => labels !== undefined || classes !== undefined, NO_LABELS);

const encodingServer = z.strictObject({
  ...kserveFields,
  texts: z
    .strictObject({
      /** The model for texts, if the server has a separate one. */
      model: z.string().min(1).max(300).optional(),
      /** The BYTES input for the text. */
      input: tensor.default('text'),
      output: tensor.optional(),
    })
    .prefault({}),
});

export const multimodalManifest = z.strictObject({
  ...multimodalManifestFields,
  server: encodingServer,
  outputs: z.strictObject({ embedding: tensor.default('embedding'), dimension }),
});

export type KserveSettings = z.infer<typeof server>;
export type KserveEncodingManifest = z.infer<typeof multimodalManifest>;
export type KserveCaptionSettings = z.infer<typeof captionServer>;
export type KserveTaggingManifest = z.infer<typeof taggingManifest>;
export type KserveDetectionManifest = z.infer<typeof detectionManifest>;
