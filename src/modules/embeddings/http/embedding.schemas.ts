import type { ApiBodyOptions } from '@nestjs/swagger';
import { z } from 'zod';
import { ladderSchema, MODEL_ID } from '../../../common/engine/models/model-manifest';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { booleanText } from '../../../common/platform/http/query-values';
import { NAMINGS } from '../domain/embedding-upload';

/** Forms send omitted fields as empty texts. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const ladder = z
  .string()
  .transform((text) => text.split(',').map(Number))
  .refine((cosines) => ladderSchema.safeParse(cosines).success, {
    error: 'Input should be five cosines from -1 to 1, separated by commas, none larger than the one before',
  })
  .transform((cosines) => ladderSchema.parse(cosines));

const file = z.never({ error: 'Input should be a file' }).optional();

export const embeddingForm = z.object({
  id: z.string({ error: 'Field required' }).regex(MODEL_ID, {
    error: 'Input should begin with a-z or 0-9 and have at most 100 characters of a-z, 0-9, dot, dash and underscore',
  }),
  named_by: optional(z.enum(NAMINGS, { error: `Input should be ${NAMINGS.join(' or ')}` })),
  ladder: optional(ladder),
  allow_missing: optional(booleanText),
  vectors: file,
  names: file,
});
export type EmbeddingForm = z.output<typeof embeddingForm>;

export const embeddingFormDescription: Extract<ApiBodyOptions, { schema: unknown }>['schema'] = {
  type: 'object',
  required: ['id', 'vectors'],
  properties: {
    id: {
      type: 'string',
      pattern: MODEL_ID.source,
      description: 'The name of the vectors, such as that of the model that computed them.',
    },
    vectors: {
      type: 'string',
      format: 'binary',
      description:
        'A .npy file with an array (media, numbers) of float16, float32 or float64; or a .parquet file with a column `embedding` or ' +
        '`vector`, and `media_id`, `file_path` or `file_name`.',
    },
    names: {
      type: 'string',
      format: 'binary',
      description: 'For a .npy file: UTF-8 text with the name of each row on a line of its own.',
    },
    named_by: { type: 'string', enum: [...NAMINGS], default: 'file_name', description: 'The contents of `names`.' },
    ladder: {
      type: 'string',
      example: '0.9,0.8,0.73,0.66,0.58',
      description:
        'The five cosines at which media join into clusters, from the finest level; default: by the vectors.',
    },
    allow_missing: {
      type: 'boolean',
      default: false,
      description: 'Whether media may have no vector, and are then like no other.',
    },
  },
};

export const embeddingResponse = z.object({ task_id: z.uuid() }).meta({ example: { task_id: EXAMPLE.task } });
