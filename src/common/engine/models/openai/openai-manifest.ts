import { z } from 'zod';
import {
  captionManifestFields,
  detectionManifestFields,
  dimension,
  multimodalManifestFields,
  objectCaptionManifestFields,
  taggingManifestFields,
} from '../model-manifest';
import { BOX_UNITS } from '../servers/checked-findings';
import { serverFields } from '../servers/server-manifest';

const prompt = z.string().min(1).max(10_000);

const requestFields = {
  ...serverFields,
  /** Replaces the built-in prompt of the type. */
  prompt: prompt.optional(),
  /** Server-specific fields, added to each request. */
  extra: z.record(z.string(), z.json()).default({}),
};

const chatFields = {
  ...requestFields,
  maxTokens: z.int().min(1).max(100_000).optional(),
  temperature: z.number().min(0).max(2).default(0),
};

const structuredFields = {
  ...chatFields,
  /** Whether the server supports `response_format` with a JSON schema. */
  structuredOutput: z.boolean().default(true),
};

const chat = z.strictObject(chatFields);
const structured = z.strictObject(structuredFields);
const detecting = z.strictObject({
  ...structuredFields,
  /** The unit of the model's boxes: fractions of the picture's width and height, thousandths, or pixels. */
  boxes: z.enum(BOX_UNITS).default('thousandths'),
});

/** The placeholder for the text in a prompt. */
export const TEXT_PLACE = '{text}';

const embedding = z.strictObject({
  ...requestFields,
  texts: z
    .strictObject({
      /** In `input`, as in OpenAI's API, or in `messages`, for models with a chat template. */
      form: z.enum(['input', 'messages']).default('input'),
      prompt: prompt.includes(TEXT_PLACE).default(TEXT_PLACE),
    })
    .prefault({}),
});

export const captionManifest = z.strictObject({ ...captionManifestFields, server: chat });
export const objectCaptionManifest = z.strictObject({ ...objectCaptionManifestFields, server: chat });
export const taggingManifest = z.strictObject({ ...taggingManifestFields, server: structured });
export const detectionManifest = z.strictObject({ ...detectionManifestFields, server: detecting });
export const multimodalManifest = z.strictObject({
  ...multimodalManifestFields,
  outputs: z.strictObject({ dimension }),
  server: embedding,
});

export type ChatSettings = z.infer<typeof chat>;
export type StructuredSettings = z.infer<typeof structured>;
export type DetectionSettings = z.infer<typeof detecting>;
export type EmbeddingSettings = z.infer<typeof embedding>;
