import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { booleanText, uuid } from '../../../common/platform/http/query-values';
import { mediaSelection } from '../../search';
import { GROUND_TRUTH } from '../../versions';
import { EXPORT_FORMATS, type ExportFormat } from '../archive/formats';

const MAX_SOURCE = 100;

const source = z
  .string()
  .min(1)
  .max(MAX_SOURCE)
  .optional()
  .meta({ description: 'Whose annotations the archive has: the name of a source.', example: 'ground_truth' });

const options = {
  export_format: z.enum(EXPORT_FORMATS, { error: `Input should be one of ${EXPORT_FORMATS.join(', ')}` }).meta({
    description:
      'Format of the metadata in the archive. Those after `yolo` have the annotations of a source, by default `ground_truth`.',
    example: 'json',
  }),
  source,
  include_images: booleanText.default(false).describe('Whether to include the images; default false.'),
  with_embeddings: booleanText
    .default(false)
    .describe(
      'Whether the metadata has the vector of each image, in the column `embedding`; only with `export_format=parquet`. The key `embedding_model` of the file names the model.',
    ),
};

const withinFormat = <
  Schema extends z.ZodType<{ export_format: ExportFormat; with_embeddings: boolean; include_images: boolean }>,
>(
  schema: Schema,
): Schema =>
  schema
    .refine(({ export_format: format, include_images: images }) => images || format !== 'class_folders', {
      path: ['include_images'],
      error: 'Input should be true: class_folders is a folder of images for each label',
    })
    .refine(({ export_format: format, with_embeddings: vectors }) => !vectors || format === 'parquet', {
      path: ['with_embeddings'],
      error: 'Input should be false unless export_format is parquet',
    });

export const contextQuery = withinFormat(
  z.object({
    file_name: z
      .string()
      .trim()
      .min(1, { error: 'Input should not be empty' })
      .max(255, { error: 'Input should be at most 255 characters' })
      .refine((text) => !/[\p{Cc}\p{Cs}/\\]/u.test(text), {
        error: 'Input should have no slashes and no control characters',
      })
      .meta({ description: 'Name of the archive; `.zip` is appended if missing.', example: 'harbour.zip' }),
    ...options,
  }),
);
export type ContextQuery = z.output<typeof contextQuery>;

export const entitiesQuery = withinFormat(z.object(options));
export type EntitiesQuery = z.output<typeof entitiesQuery>;

export const entitiesBody = z.object({ media_selection: mediaSelection });
export type EntitiesBody = z.output<typeof entitiesBody>;

export const taskQuery = z.object({
  export_task_id: uuid
    .transform((id) => id.toLowerCase())
    .meta({ description: 'The id returned when the export was started.', example: EXAMPLE.exportTask }),
});
export type TaskQuery = z.output<typeof taskQuery>;

export const previewQuery = z.object({
  export_format: options.export_format,
  source: source.unwrap().default(GROUND_TRUTH).describe(`The name of a source; default \`${GROUND_TRUTH}\`.`),
});
export type PreviewQuery = z.output<typeof previewQuery>;

export const previewResponse = z
  .object({
    losses: z.array(
      z.object({
        what: z.string(),
        count: z.int(),
        becomes: z.string().nullable().describe('What is written instead; null if it is left out.'),
      }),
    ),
    n_media: z.int(),
    n_annotations: z.int(),
  })
  .meta({
    id: 'ExportPreview',
    example: { losses: [{ what: 'polygons', count: 12, becomes: 'boxes' }], n_media: 1_200, n_annotations: 4_120 },
  });
export type PreviewResponse = z.infer<typeof previewResponse>;

export const exportResponse = z
  .object({
    id: z.uuid(),
    dataset_id: z.uuid(),
    created_at: z.string(),
    download_uri: z.string().nullable(),
    progress: z.number(),
    status: z.enum(['INIT', 'RUNNING', 'COMPLETED', 'FAILED']),
    entities_count: z.int(),
    result_message: z.string().nullable(),
  })
  .meta({
    id: 'ExportTask',
    example: {
      id: EXAMPLE.exportTask,
      dataset_id: EXAMPLE.dataset,
      created_at: '2026-11-24T09:32:10.500000',
      download_uri: null,
      progress: 0,
      status: 'INIT',
      entities_count: 1200,
      result_message: null,
    },
  });
export type ExportResponse = z.infer<typeof exportResponse>;
