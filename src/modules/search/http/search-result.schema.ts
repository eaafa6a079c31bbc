import { z } from 'zod';
import { ENTITY_TYPES } from '../domain/entity-type';

const labelCounts = z.record(z.string(), z.int()).nullable();
const tagCounts = z.record(z.string(), z.object({ name: z.string(), count: z.int() })).nullable();
const score = z.number().nullable();
/** Absent if results are not ranked. */
const scoreType = z.literal('cosine_distance').nullable();

export const previewSchema = z
  .object({
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
    relevance_score: score.optional(),
    relevance_score_type: scoreType.optional(),
    width: z.int(),
    height: z.int(),
  })
  .meta({ id: 'MediaPreview' });

export type PresentedPreview = z.infer<typeof previewSchema>;

const clusterSchema = z
  .object({
    cluster_id: z.uuid(),
    type: z.enum(ENTITY_TYPES),
    n_images: z.int(),
    n_objects: z.int(),
    n_videos: z.int(),
    n_frames: z.int(),
    size_display_value: z.string(),
    similarity_threshold: z.string(),
    previews: z.array(previewSchema),
    labels: labelCounts,
    user_tags: tagCounts,
    captions: z.array(z.string()).nullable(),
    relevance_score: score,
    relevance_score_type: scoreType.optional(),
    formed_by: z.enum(['SIMILARITY', 'DUPLICATES']),
  })
  .meta({ id: 'MediaCluster' });

export type PresentedCluster = z.infer<typeof clusterSchema>;

export const exploreResult = z
  .object({
    clusters: z.array(clusterSchema),
    metadata: z.object({ used_duckdb: z.boolean() }),
    total_pages: z.int(),
    current_page: z.int(),
  })
  .meta({ id: 'ExploreResult' });

export type ExploreResult = z.infer<typeof exploreResult>;
