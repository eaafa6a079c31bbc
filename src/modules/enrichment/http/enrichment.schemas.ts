import { z } from 'zod';
import { ENRICHMENT_TYPES } from '../../../common/engine/models/model-manifest';
import { EXAMPLE, exampleUri } from '../../../common/platform/http/description/example-ids';
import { booleanText, datasetPath, wholeNumber } from '../../../common/platform/http/query-values';
import { CONTEXT_STATUSES } from '../domain/context';

export const contextPath = datasetPath.extend({
  enrichment_context_id: z
    .uuid()
    .meta({ description: 'The enrichment context of the dataset.', example: EXAMPLE.context }),
});

const CAPTIONER = 'drawn-world_captioner_v00';
const MAX_PROMPT = 10_000;

/** Unknown options are ignored. */
const metadata = z.object({ prompt: z.string().max(MAX_PROMPT).optional() });
const modelId = z.string().min(1).max(100);
const model = z.union(
  [modelId, z.object({ id: modelId, metadata: metadata.default({}) })],
  'Input should be the id of a model, or {"id": its id, "metadata": {"prompt": a text}}',
);

/** A string stands for a model without options. */
export const enrichmentBody = z
  .object({ enrichment_models: z.partialRecord(z.enum(ENRICHMENT_TYPES), model) })
  .meta({ example: { enrichment_models: { CAPTION_IMAGES: CAPTIONER } } });

export const enrichQuery = z.object({
  in_place: booleanText
    .default(false)
    .describe('Whether the dataset itself receives the results, after a snapshot; default false: a copy does.'),
});

export const modelsResponse = z
  .array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      status: z.enum(['Active', 'Coming Soon']),
      vendor: z.string(),
      description: z.string(),
      dependencies: z.array(z.string()).nullable(),
    }),
  )
  .meta({
    example: [
      {
        id: CAPTIONER,
        name: 'Drawn world: captions',
        type: 'CAPTION_IMAGES',
        status: 'Active',
        vendor: 'Dataset Media Service',
        description: 'One English sentence about a picture.',
        dependencies: null,
      },
    ],
  });

export const contextResponse = z
  .object({
    enrichment_context_id: z.uuid(),
    status: z.enum(CONTEXT_STATUSES),
    dataset_enrichment_models: z.object({ enrichment_models: z.record(z.string(), z.string()) }),
  })
  .meta({
    example: {
      enrichment_context_id: EXAMPLE.context,
      status: 'NEW',
      dataset_enrichment_models: { enrichment_models: {} },
    },
  });

export const enrichedResponse = z
  .object({ dataset_id: z.uuid() })
  .meta({ example: { dataset_id: EXAMPLE.otherDataset } });

export const statusResponse = z
  .object({
    enrichment_context_id: z.uuid(),
    status: z.enum(CONTEXT_STATUSES),
    progress: z.int(),
    dataset_id: z.uuid().nullable(),
    error_message: z.string().nullable(),
    models: z.array(
      z.object({ type: z.string(), id: z.string(), status: z.enum(CONTEXT_STATUSES), progress: z.int() }),
    ),
  })
  .meta({
    example: {
      enrichment_context_id: EXAMPLE.context,
      status: 'RUNNING',
      progress: 40,
      dataset_id: EXAMPLE.otherDataset,
      error_message: null,
      models: [{ type: 'CAPTION_IMAGES', id: CAPTIONER, status: 'RUNNING', progress: 40 }],
    },
  });

const previewObject = z.object({
  label: z.string().nullable(),
  bounding_box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  confidence: z.number().optional(),
  caption: z.string().optional(),
  /** Why there is no caption. */
  error: z.string().optional(),
});

const previewResult = z.object({
  model_id: z.string(),
  caption: z.string().optional(),
  labels: z.array(z.object({ label: z.string(), confidence: z.number() })).optional(),
  /** The objects that were found, or captioned. */
  objects: z.array(previewObject).optional(),
  /** Lines of text, in reading order. */
  lines: z.array(z.object({ text: z.string(), confidence: z.number() })).optional(),
  /** Of the vector of the picture. */
  dimension: z.int().optional(),
  /** Why there is no result for this media. */
  error: z.string().optional(),
});

export const previewsResponse = z
  .object({
    enrichment_context_id: z.uuid(),
    previews: z.array(
      z.object({
        media_id: z.string(),
        file_name: z.string(),
        media_thumb_uri: z.string(),
        results: z.record(z.string(), previewResult),
      }),
    ),
  })
  .meta({
    example: {
      enrichment_context_id: EXAMPLE.context,
      previews: [
        {
          media_id: EXAMPLE.media,
          file_name: '12.jpg',
          media_thumb_uri: exampleUri('store/thumbs/12.webp'),
          results: { CAPTION_IMAGES: { model_id: CAPTIONER, caption: 'Two boats next to a house' } },
        },
      ],
    },
  });

export const abortResponse = z
  .object({ enrichment_context_id: z.uuid(), status: z.enum(CONTEXT_STATUSES) })
  .meta({ example: { enrichment_context_id: EXAMPLE.context, status: 'FAILED' } });

export const findingsQuery = z.object({
  limit: wholeNumber(0, 1_000).default(100).describe('Maximum number of ids of each kind, 0 to 1000; default 100.'),
  offset: wholeNumber(0, 2 ** 31 - 1)
    .default(0)
    .describe('Number of ids of each kind to skip.'),
});

const foundIn = z.object({
  model_id: z.string().nullable().describe('The model that was applied last; null without one.'),
  count: z.int().describe('Images and frames in which something was found.'),
  media_ids: z.array(z.string()),
});

export const findingsResponse = z
  .object({
    n_media: z.int().describe('Images and frames of the dataset.'),
    captions: foundIn,
    labels: foundIn,
    objects: foundIn.extend({ n_objects: z.int().describe('Objects that were found, or captioned by a model.') }),
    text: foundIn,
    limit: z.int(),
    offset: z.int(),
  })
  .meta({
    id: 'Findings',
    example: {
      n_media: 1200,
      captions: { model_id: CAPTIONER, count: 1200, media_ids: [EXAMPLE.media, EXAMPLE.otherMedia] },
      labels: { model_id: null, count: 0, media_ids: [] },
      objects: { model_id: null, count: 0, media_ids: [], n_objects: 0 },
      text: { model_id: null, count: 0, media_ids: [] },
      limit: 100,
      offset: 0,
    },
  });
