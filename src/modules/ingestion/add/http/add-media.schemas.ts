import type { ApiBodyOptions } from '@nestjs/swagger';
import { z } from 'zod';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { booleanText, wholeNumber } from '../../../../common/platform/http/query-values';
import type { Addition } from '../domain/addition';

const MAX_COUNT = 1_000_000_000;
const ROLE_ARN = /^arn:[a-z0-9-]{1,32}:iam:[a-z0-9-]{0,32}:[a-z0-9-]{0,64}:role\/[\w+=,.@/-]{1,512}$/i;

const isEmpty = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Forms send omitted fields as empty texts. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (isEmpty(value) ? undefined : value), schema.optional());

const count = optional(wholeNumber(0, MAX_COUNT));
const file = z.never({ error: 'Input should be a file' }).optional();

export const addMediaForm = z.object({
  s3_uri: optional(z.string().trim().max(4096, { error: 'Input should be at most 4096 characters' })),
  auto_reindex: optional(booleanText),
  assume_role: optional(z.string().trim().regex(ROLE_ARN, { error: 'Input should be the ARN of a role' })),
  batch_n_videos: count,
  batch_n_images: count,
  batch_n_objects: count,
  use_spot: optional(booleanText),
  files: file,
  archive: file,
});
export type AddMediaForm = z.infer<typeof addMediaForm>;

export const batchOf = (form: AddMediaForm): Omit<Addition, 'source'> => ({
  autoReindex: form.auto_reindex ?? false,
  hints: {
    videos: form.batch_n_videos ?? null,
    images: form.batch_n_images ?? null,
    objects: form.batch_n_objects ?? null,
    useSpot: form.use_spot ?? null,
  },
});

export const addMediaFormDescription: Extract<ApiBodyOptions, { schema: unknown }>['schema'] = {
  type: 'object',
  description: 'Exactly one of s3_uri, files and archive.',
  example: { s3_uri: EXAMPLE.otherFolder, auto_reindex: true },
  properties: {
    s3_uri: { type: 'string', description: 'A folder, or a manifest (.csv, .parquet, .txt) that lists media.' },
    files: { type: 'array', items: { type: 'string', format: 'binary' } },
    archive: { type: 'string', format: 'binary', description: 'One .zip, .tar, .tar.gz or .tgz.' },
    auto_reindex: { type: 'boolean', default: false },
    assume_role: { type: 'string', description: 'The ARN of a role to read s3_uri with.' },
    batch_n_videos: { type: 'integer', minimum: 0 },
    batch_n_images: { type: 'integer', minimum: 0 },
    batch_n_objects: { type: 'integer', minimum: 0 },
    use_spot: { type: 'boolean' },
  },
};
