import { Inject, Injectable } from '@nestjs/common';
import { ComputePool } from '../../../common/compute/compute-pool';
import { TransactionRunner } from '../../../common/database/transaction-runner';
import type { ReceivedFile } from '../../../common/http/multipart';
import type { Box } from '../../../common/media-table/media-row';
import { DEFAULT_IMAGE_MODEL, ModelRegistry } from '../../../common/models/model-registry';
import type { ObjectStore } from '../../../common/storage/object-store';
import { storeSource } from '../../../common/storage/source-location';
import { OBJECT_STORE } from '../../../common/storage/storage.module';
import { DatasetReader, DatasetStatusError } from '../../datasets';
import { Settings } from '../../settings';
import { newAnchor, type AnchorWish } from './domain/anchor';
import { OtherModelError, UnusableImageError } from './domain/anchor-errors';
import { SearchAnchorRepository } from './persistence/search-anchor.repository';

/** From an uploaded picture to the anchor that a search names; of the picture only its vector is kept. */
@Injectable()
export class CreateAnchorUseCase {
  constructor(
    private readonly settings: Settings,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly pool: ComputePool,
    private readonly models: ModelRegistry,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly anchors: SearchAnchorRepository,
  ) {}

  /** Asked before the first byte is read. */
  async assertSearchable(datasetId: string): Promise<void> {
    const { status, pointer } = await this.datasets.get(datasetId);
    if (status !== 'READY') throw new DatasetStatusError('visual_search', status, ['READY']);
    if (pointer !== null && pointer.modelId !== this.modelId) throw new OtherModelError(this.modelId, pointer.modelId);
  }

  async create(wish: AnchorWish, region: Box | null, file: ReceivedFile): Promise<string> {
    try {
      const anchor = newAnchor(wish, this.modelId, await this.embed(file, region), new Date());
      await this.transactions.run(async () => {
        await this.datasets.lock(wish.datasetId);
        await this.anchors.insert(anchor);
      });
      return anchor.id;
    } finally {
      await this.store.delete([file.key]);
    }
  }

  private async embed(file: ReceivedFile, region: Box | null): Promise<Float32Array> {
    const result = await this.pool.embed({
      source: storeSource(file.key),
      region,
      swapRedBlueForTiffHeic: this.settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC'),
    });
    if (result.kind === 'QUARANTINED') throw new UnusableImageError(result);
    return result.embedding;
  }

  private get modelId(): string {
    return this.models.get(DEFAULT_IMAGE_MODEL).manifest.id;
  }
}
