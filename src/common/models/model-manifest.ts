import { z } from 'zod';

const cosine = z.number().min(-1).max(1);

const inputSchema = z.strictObject({
  name: z.string(),
  width: z.int().min(8).max(2048),
  height: z.int().min(8).max(2048),
  /** `fill` squeezes the whole picture in; `cover` cuts its middle out. */
  fit: z.enum(['fill', 'cover']),
  layout: z.enum(['NHWC', 'NCHW']),
  type: z.enum(['uint8', 'float32']),
  /** Of float32 inputs, on channels of 0..1. */
  mean: z.tuple([z.number(), z.number(), z.number()]).default([0, 0, 0]),
  std: z.tuple([z.number().positive(), z.number().positive(), z.number().positive()]).default([1, 1, 1]),
});

const ladderSchema = z
  .tuple([cosine, cosine, cosine, cosine, cosine])
  .refine((ladder) => ladder.every((value, level) => level === 0 || value <= ladder[level - 1]!), {
    message: 'must fall from level 0 to level 4',
  });

const about = {
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/),
  name: z.string().min(1),
  licence: z.string().min(1),
  description: z.string().min(1),
};

const dimension = z.int().min(1).max(4096);

const imageManifestSchema = z.strictObject({
  ...about,
  kind: z.literal('image-embedding'),
  runtime: z.literal('onnx'),
  file: z.string().regex(/^[^/\\]+\.onnx$/),
  input: inputSchema,
  output: z.strictObject({ name: z.string(), dimension }),
  /** Calibrated cosines at which items join, from level 0 (the finest) to 4. */
  ladder: ladderSchema,
  /** From this cosine on two pictures are near duplicates. */
  nearDuplicateCosine: cosine,
});

const textManifestSchema = z.strictObject({
  ...about,
  kind: z.literal('text-embedding'),
  runtime: z.literal('hashed-words'),
  output: z.strictObject({ dimension }),
});

export const modelManifestSchema = z.discriminatedUnion('kind', [imageManifestSchema, textManifestSchema]);

export type ImageModelManifest = z.infer<typeof imageManifestSchema>;
export type TextModelManifest = z.infer<typeof textManifestSchema>;
export type ModelManifest = z.infer<typeof modelManifestSchema>;
