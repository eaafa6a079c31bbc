import { z } from 'zod';
import { EXAMPLE, exampleUri } from '../../../../common/platform/http/description/example-ids';
import { ENTITY_TYPES, GROUP_DOUBTS } from '../../../versions';
import { approximateFields } from '../../query/http/approximate';
import { MATCHED_PLACES } from '../../query/matched-places';
import { understoodFields } from '../../query/http/understood';

const labelCounts = z.record(z.string(), z.int()).nullable();
const tagCounts = z.record(z.string(), z.object({ name: z.string(), count: z.int() })).nullable();
const score = z.number().nullable();
/** Absent if results are not ranked. */
const scoreType = z.literal('cosine_distance').nullable();

export const previewExample = {
  type: 'IMAGE',
  media_id: EXAMPLE.media,
  media_uri: exampleUri('file/yg6KF9ETMi6SMtPTljlAxWMSFlDZa8Wy/12.jpg'),
  media_thumb_uri: exampleUri('store/thumbs/12.webp'),
  caption: 'Two boats next to a house',
  image_id: EXAMPLE.media,
  image_uri: exampleUri('file/yg6KF9ETMi6SMtPTljlAxWMSFlDZa8Wy/12.jpg'),
  bounding_box: null,
  file_name: '12.jpg',
  original_uri: 'boats/12.jpg',
  video_uri: '',
  frame_timestamp: null,
  labels: { boat: 1 },
  user_tags: { [EXAMPLE.tag]: { name: 'Checked', count: 1 } },
  width: 1600,
  height: 1067,
};

const MATCHED =
  'Only in the result of a search by keywords: where its words are, in a `caption`, in the `text` in the picture, or in both.';

const SOURCES =
  'With `with_sources` only: for each source that says something, its labels (100 at most) with the number of annotations. Of an object, who marked or found it.';

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
    matched: z.array(z.enum(MATCHED_PLACES)).optional().describe(MATCHED),
    sources: z.record(z.string(), z.record(z.string(), z.int())).optional().describe(SOURCES),
    relevance_score: score.optional(),
    relevance_score_type: scoreType.optional(),
    width: z.int(),
    height: z.int(),
  })
  .meta({ id: 'MediaPreview', example: previewExample });

export type PresentedPreview = z.infer<typeof previewSchema>;

const DOUBT =
  'Of a group of near duplicates: why the members may be different pictures: `LARGE` (more than five, copies not counted) or `CHAINED` (two members ' +
  'are not similar to each other, only to a third one); null if neither.';

export const groupDoubt = z.enum(GROUP_DOUBTS).nullable().describe(DOUBT);

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
    doubt: groupDoubt.optional(),
  })
  .meta({
    id: 'MediaCluster',
    example: {
      cluster_id: EXAMPLE.cluster,
      type: 'IMAGES',
      n_images: 12,
      n_objects: 0,
      n_videos: 0,
      n_frames: 0,
      size_display_value: '0B',
      similarity_threshold: '0',
      labels: { boat: 9 },
      user_tags: null,
      captions: ['Two boats next to a house'],
      relevance_score: null,
      formed_by: 'SIMILARITY',
    },
  });

export type PresentedCluster = z.infer<typeof clusterSchema>;

export const exploreResult = z
  .object({
    clusters: z.array(clusterSchema),
    metadata: z.object({ used_duckdb: z.boolean() }),
    total_pages: z.int(),
    current_page: z.int(),
    partial: z
      .object({ searched: z.int(), total: z.int() })
      .optional()
      .describe(
        'With `allow_partial` only, while vectors are being read: how many media the ranking went through, and how many there are.',
      ),
    ...understoodFields,
    ...approximateFields,
  })
  .meta({
    id: 'ExploreResult',
    example: { metadata: { used_duckdb: false }, total_pages: 1, current_page: 0 },
  });

export type ExploreResult = z.infer<typeof exploreResult>;
