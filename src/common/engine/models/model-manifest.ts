import { z } from 'zod';

const cosine = z.number().min(-1).max(1);

const ladderSchema = z
  .tuple([cosine, cosine, cosine, cosine, cosine])
  .refine((ladder) => ladder.every((value, level) => level === 0 || value <= ladder[level - 1]!), {
    message: 'must fall from level 0 to level 4',
  });

export const MODEL_ID = /^[a-z0-9][a-z0-9._-]{0,99}$/;

const about = {
  id: z.string().regex(MODEL_ID),
  name: z.string().min(1),
  licence: z.string().min(1),
  description: z.string().min(1),
  runtime: z.string(),
};

export const dimension = z.int().min(1).max(4096);

/** The fields of every manifest of an image embedding; a runtime may require more. */
export const imageManifestFields = {
  ...about,
  kind: z.literal('image-embedding'),
  output: z.object({ dimension }),
  /** The calibrated cosines at which items join, from level 0 (the finest) to 4. */
  ladder: ladderSchema,
  /** Ignored; manifests for earlier versions contain it. */
  nearDuplicateCosine: z.unknown().optional(),
};

export const textManifestFields = {
  ...about,
  kind: z.literal('text-embedding'),
  output: z.object({ dimension }),
};

type Manifest<Fields extends z.core.$ZodLooseShape> = z.infer<z.ZodObject<Fields>>;

export type ImageModelManifest = Manifest<typeof imageManifestFields>;
export type TextModelManifest = Manifest<typeof textManifestFields>;
