import { z } from 'zod';
import { wholeNumber } from '../../../common/http/query-values';
import { LEVELS, type Level } from '../../../common/media-table/media-row';
import { ENTITY_TYPES } from '../domain/entity-type';
import { UNLABELED } from '../domain/label-filter';
import { parseLabels } from '../domain/labels-parameter';

const labels = z.string().transform((text, context) => {
  const parsed = text.trim() === UNLABELED ? [UNLABELED] : parseLabels(text);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: 'custom', message: 'Input should be a list such as [dog,cat] or ["dog","cat"]' });
  return z.NEVER;
});

/** Named here so that asking for it is refused, not silently ignored. */
const notYet = (what: string) =>
  z
    .string()
    .refine(() => false, { error: `${what} is not available in this version` })
    .optional();

export const exploreQuery = z
  .object({
    entity_type: z.enum(ENTITY_TYPES, { error: `Input should be one of ${ENTITY_TYPES.join(', ')}` }).default('IMAGES'),
    threshold: wholeNumber(0, LEVELS.length - 1).default(0),
    page_number: wholeNumber(0, 2 ** 31 - 1).default(0),
    labels: labels.default([]),
    caption: notYet('Search by caption'),
    image_caption: notYet('Search by caption'),
    textual_similarity_threshold: notYet('Search by caption'),
    tags: notYet('Search by tag'),
    vql: notYet('Search by VQL'),
    duplicate_threshold: notYet('Search for duplicates'),
    anchor_media_id: notYet('Visual search'),
    anchor_type: notYet('Visual search'),
  })
  .transform((query) => ({
    entityType: query.entity_type,
    level: query.threshold as Level,
    page: query.page_number,
    labels: query.labels,
  }));

export type ExploreQueryValues = z.output<typeof exploreQuery>;

const labelCounts = z.record(z.string(), z.int()).nullable();
const tagCounts = z.record(z.string(), z.object({ name: z.string(), count: z.int() })).nullable();
const score = z.number().nullable();
const scoreType = z.literal('cosine_distance').nullable();

const preview = z.object({
  type: z.enum(['IMAGE', 'OBJECT', 'VIDEO']),
  media_id: z.string(),
  media_uri: z.string(),
  media_thumb_uri: z.string(),
  caption: z.string().nullable(),
  image_id: z.string(),
  image_uri: z.string(),
  bounding_box: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).nullable(),
  file_name: z.string(),
  original_uri: z.string(),
  video_uri: z.string(),
  frame_timestamp: z.number().nullable(),
  labels: labelCounts,
  label: z.string().optional(),
  user_tags: tagCounts,
  relevance_score: score,
  relevance_score_type: scoreType,
  width: z.int(),
  height: z.int(),
});

const cluster = z.object({
  cluster_id: z.uuid(),
  type: z.enum(ENTITY_TYPES),
  n_images: z.int(),
  n_objects: z.int(),
  n_videos: z.int(),
  n_frames: z.int(),
  size_display_value: z.string(),
  similarity_threshold: z.string(),
  previews: z.array(preview),
  labels: labelCounts,
  user_tags: tagCounts,
  captions: z.array(z.string()).nullable(),
  relevance_score: score,
  relevance_score_type: scoreType,
  formed_by: z.enum(['SIMILARITY', 'DUPLICATES']),
});

export const exploreResult = z.object({
  clusters: z.array(cluster),
  metadata: z.object({ used_duckdb: z.boolean() }),
  total_pages: z.int(),
  current_page: z.int(),
});

export type ExploreResult = z.infer<typeof exploreResult>;
