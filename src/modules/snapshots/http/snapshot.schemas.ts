import { z } from 'zod';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import {
  givenDescription,
  givenName,
  booleanText,
  datasetPath,
  uuid,
  wholeNumber,
} from '../../../common/platform/http/query-values';
import { SNAPSHOT_REASONS } from '../domain/snapshot';

const snapshotId = uuid.transform((id) => id.toLowerCase());

export const snapshotPath = datasetPath.extend({
  snapshot_id: snapshotId.meta({ description: 'The snapshot.', example: EXAMPLE.snapshot }),
});
export type SnapshotPath = z.output<typeof snapshotPath>;

export const restorePath = datasetPath.extend({
  snapshot_id: z
    .union([z.literal('current'), snapshotId], { error: "Input should be a valid UUID or 'current'" })
    .meta({ description: 'The snapshot; `current` for the current one.', example: EXAMPLE.snapshot }),
});
export type RestorePath = z.output<typeof restorePath>;

export const cloneQuery = z.object({
  with_views: booleanText
    .default(false)
    .describe('Whether to copy the saved views, without their results: true or false.'),
});
export type CloneQuery = z.output<typeof cloneQuery>;

export const newSnapshotBody = z
  .object({
    name: givenName.nullish().describe('Default: `{dataset_name}_snapshot_{snapshot_id}`.'),
    description: givenDescription.nullish(),
  })
  .meta({ example: { name: 'Before cleaning', description: 'All images as they were delivered.' } });
export type NewSnapshotBody = z.output<typeof newSnapshotBody>;

export const snapshotWordsBody = z
  .object({ name: givenName.optional(), description: givenDescription.optional() })
  .refine((words) => words.name !== undefined || words.description !== undefined, {
    error: 'Input should have a name, a description or both',
  })
  .meta({ example: { description: 'Checked by Ana.' } });
export type SnapshotWordsBody = z.output<typeof snapshotWordsBody>;

export const snapshotResponse = z
  .object({
    snapshot_id: z.uuid(),
    snapshot_name: z.string(),
    source_dataset_name: z.string(),
    created_at: z.string(),
    created_by: z.string(),
    n_images: z.int(),
    n_videos: z.int(),
    description: z.string(),
    reason: z.enum(SNAPSHOT_REASONS),
    training_model_id: z.uuid().nullable(),
    training_model_name: z.string().nullable(),
    is_current: z.boolean(),
    is_restoring: z.boolean(),
  })
  .meta({
    id: 'Snapshot',
    example: {
      snapshot_id: EXAMPLE.snapshot,
      snapshot_name: 'Before cleaning',
      source_dataset_name: 'Harbour',
      created_at: '2026-11-24T09:32:10.500000',
      created_by: 'ana@example.com',
      n_images: 1200,
      n_videos: 0,
      description: 'All images as they were delivered.',
      reason: 'manual',
      training_model_id: null,
      training_model_name: null,
      is_current: true,
      is_restoring: false,
    },
  });
export type SnapshotResponse = z.infer<typeof snapshotResponse>;

export const diffQuery = z.object({
  against: snapshotId.optional().describe('Another snapshot of the dataset; default: its current state.'),
  limit: wholeNumber(0, 10_000)
    .default(1_000)
    .describe('Maximum number of ids of each kind, 0 to 10000; default 1000.'),
  offset: wholeNumber(0, 2 ** 31 - 1)
    .default(0)
    .describe('Number of ids of each kind to skip.'),
});
export type DiffQuery = z.output<typeof diffQuery>;

const mediaList = z.object({ count: z.int(), media_ids: z.array(z.string()) });

export const diffResponse = z
  .object({
    snapshot_id: z.uuid(),
    against: z.uuid().nullable(),
    added: mediaList,
    removed: mediaList,
    changed: z.object({ labels: mediaList, tags: mediaList, captions: mediaList }),
    annotations: z
      .array(z.object({ source: z.string(), added: z.int(), removed: z.int(), changed: z.int(), media: mediaList }))
      .describe('How many annotations of each source differ, and the media of the later state that have them.'),
    limit: z.int(),
    offset: z.int(),
  })
  .meta({
    id: 'SnapshotDiff',
    example: {
      snapshot_id: EXAMPLE.snapshot,
      against: null,
      added: { count: 1, media_ids: [EXAMPLE.media] },
      removed: { count: 0, media_ids: [] },
      changed: {
        labels: { count: 1, media_ids: [EXAMPLE.otherMedia] },
        tags: { count: 0, media_ids: [] },
        captions: { count: 0, media_ids: [] },
      },
      annotations: [
        {
          source: 'detector-a',
          added: 3,
          removed: 0,
          changed: 1,
          media: { count: 1, media_ids: [EXAMPLE.otherMedia] },
        },
      ],
      limit: 1000,
      offset: 0,
    },
  });
export type DiffResponse = z.infer<typeof diffResponse>;
