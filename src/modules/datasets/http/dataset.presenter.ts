import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { formatTimestamp } from '../../../common/platform/http/query-values';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { ObjectStore, SignedUrl } from '../../../common/platform/storage/object-store';
import type { AccessibleDataset } from '../dataset.reader';
import type { Dataset } from '../domain/dataset';
import { legacyStatus } from '../domain/dataset-status';
import type { datasetListItemResponse, datasetResponse } from './dataset.schemas';

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
