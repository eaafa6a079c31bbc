import { z } from 'zod';
import { ENRICHMENT_TYPES } from '../../../common/engine/models/model-manifest';
import { booleanText, datasetPath } from '../../../common/platform/http/query-values';
import { CONTEXT_STATUSES } from '../domain/context';

export const contextPath = datasetPath.extend({
  enrichment_context_id: z.uuid().describe('The enrichment context of the dataset.'),
});

const MAX_PROMPT = 10_000;

/** Unknown options are ignored. */
const metadata = z.object({ prompt: z.string().max(MAX_PROMPT).optional() });
const modelId = z.string().min(1).max(100);
const model = z.union(
  [modelId, z.object({ id: modelId, metadata: metadata.default({}) })],
  'Input should be the id of a model, or {"id": its id, "metadata": {"prompt": a text}}',
);

/** A string stands for a model without options. */
export const enrichmentBody = z.object({
  enrichment_models: z.partialRecord(z.enum(ENRICHMENT_TYPES), model),
});

export const enrichQuery = z.object({
  in_place: booleanText
    .default(false)
    .describe('Whether the dataset itself receives the results, after a snapshot; default false: a copy does.'),
});

export const modelsResponse = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    status: z.enum(['Active', 'Coming Soon']),
    vendor: z.string(),
    description: z.string(),
    dependencies: z.array(z.string()).nullable(),
  }),
);

export const contextResponse = z.object({
  enrichment_context_id: z.uuid(),
  status: z.enum(CONTEXT_STATUSES),
  dataset_enrichment_models: z.object({ enrichment_models: z.record(z.string(), z.string()) }),
});

export const enrichedResponse = z.object({ dataset_id: z.uuid() });

export const statusResponse = z.object({
  enrichment_context_id: z.uuid(),
  status: z.enum(CONTEXT_STATUSES),
  progress: z.int(),
  dataset_id: z.uuid().nullable(),
  error_message: z.string().nullable(),
  models: z.array(z.object({ type: z.string(), id: z.string(), status: z.enum(CONTEXT_STATUSES), progress: z.int() })),
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
  /** Of the vector of the picture. */
  dimension: z.int().optional(),
  /** Why there is no result for this media. */
  error: z.string().optional(),
});

export const previewsResponse = z.object({
  enrichment_context_id: z.uuid(),
  previews: z.array(
    z.object({
      media_id: z.string(),
      file_name: z.string(),
      media_thumb_uri: z.string(),
      results: z.record(z.string(), previewResult),
    }),
  ),
});

export const abortResponse = z.object({ enrichment_context_id: z.uuid(), status: z.enum(CONTEXT_STATUSES) });
