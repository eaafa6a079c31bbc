import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { formatTimestamp, givenDescription, givenName, booleanText } from '../../../common/platform/http/query-values';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { ObjectStore, SignedUrl } from '../../../common/platform/storage/object-store';
import type { AccessibleDataset } from '../dataset.reader';
import type { Dataset } from '../domain/dataset';
import { legacyStatus } from '../domain/dataset-status';
import { EXAMPLE, exampleUri } from '../../../common/platform/http/description/example-ids';

export const datasetListQuery = z.object({
  sort_by: z
    .enum(['date', 'name', 'status'], { error: 'Input should be date, name or status' })
    .default('date')
    .describe('Sort order; date means newest first.'),
  include_hidden: booleanText
    .default(false)
    .describe('Whether to include drafts that were not touched for a day: true or false.'),
});
export type DatasetListQuery = z.infer<typeof datasetListQuery>;

export const datasetWordsBody = z
  .object({ display_name: givenName.optional(), description: givenDescription.optional() })
  .refine((words) => words.display_name !== undefined || words.description !== undefined, {
    error: 'Input should have a display_name, a description or both',
  })
  .meta({ example: { display_name: 'Harbour, cleaned', description: 'Without copies.' } });
export type DatasetWordsBody = z.output<typeof datasetWordsBody>;

const example = {
  id: EXAMPLE.dataset,
  display_name: 'Harbour',
  description: '',
  source_type: 'LOCAL_FOLDER',
  owned_by: 'DMS',
  created_at: '2026-11-24T09:30:00.000000',
  status: 'READY',
  status_new: 'READY',
  progress: 100,
  n_images: 1200,
  n_videos: 0,
  n_objects: 340,
  fatal_error_msg: null,
  source_dataset_id: null,
};

export const datasetResponse = z
  .object({
    id: z.uuid(),
    display_name: z.string(),
    description: z.string(),
    source_type: z.string(),
    owned_by: z.string(),
    created_at: z.string(),
    status: z.string(),
    status_new: z.enum(['DRAFT', 'INDEXING', 'READ ONLY', 'PARTIAL INDEX', 'READY', 'ERROR']),
    progress: z.int(),
    n_images: z.int(),
    n_videos: z.int(),
    n_objects: z.int(),
    fatal_error_msg: z.string().nullable(),
    source_dataset_id: z.uuid().nullable(),
  })
  .meta({ id: 'Dataset', example: example });

export const datasetListItemResponse = datasetResponse
  .extend({
    n_video_frames: z.int(),
    role: z.enum(['owner', 'editor', 'viewer']),
    is_public: z.boolean(),
    thumb_uri: z.string().nullable(),
  })
  .meta({
    id: 'DatasetListItem',
    example: {
      ...example,
      n_video_frames: 0,
      role: 'owner',
      is_public: false,
      thumb_uri: exampleUri('store/thumbs/12.webp'),
    },
  });

export const creationStatusResponse = z
  .object({ status: z.string(), progress: z.int() })
  .meta({ id: 'CreationStatus', example: { status: 'INDEXING', progress: 45 } });

const THUMBNAIL_URL_SECONDS = 24 * 60 * 60;

@Injectable()
export class DatasetPresenter {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  one(dataset: Dataset): z.infer<typeof datasetResponse> {
    return {
      id: dataset.id,
      display_name: dataset.displayName,
      description: dataset.description,
      source_type: dataset.sourceType,
      owned_by: this.configuration.ownedBy,
      created_at: formatTimestamp(dataset.createdAt),
      status: legacyStatus(dataset.status),
      status_new: dataset.status,
      progress: dataset.progress,
      n_images: dataset.counts.images,
      n_videos: dataset.counts.videos,
      n_objects: dataset.counts.objects,
      fatal_error_msg: dataset.fatalErrorMessage,
      source_dataset_id: dataset.sourceDatasetId,
    };
  }

  async item({ dataset, role }: AccessibleDataset): Promise<z.infer<typeof datasetListItemResponse>> {
    return {
      ...this.one(dataset),
      n_video_frames: dataset.counts.frames,
      role,
      is_public: false,
      thumb_uri: dataset.thumbnailKey === null ? null : await this.thumbnailUrl(dataset.thumbnailKey),
    };
  }

  private thumbnailUrl(key: string): SignedUrl {
    return this.store.signedUrl(key, { expiresInSeconds: THUMBNAIL_URL_SECONDS, contentType: 'image/webp' });
  }
}
