import { Inject, Injectable } from '@nestjs/common';
import { SearchPictures } from '../../../common/engine/compute/search-pictures';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { ReceivedFile } from '../../../common/platform/http/multipart';
import type { Box } from '../../../common/engine/media-table/media-row';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { assertGives } from '../../../common/engine/models/model-error';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { dropStagedFiles } from '../../../common/platform/storage/staged-file';
import { storeSource } from '../../../common/platform/storage/sources/source-location';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { DatasetReader, DatasetStatusError } from '../../datasets';
import { Settings } from '../../settings';
import { newAnchor, type AnchorRequest, UnusableImageError } from './domain/anchor';
import { SearchAnchorRepository } from './persistence/search-anchor.repository';

/** Creates an anchor from an uploaded image. Only the vector of the image is stored. */
@Injectable()
export class CreateAnchorUseCase {
  constructor(
    private readonly settings: Settings,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly pictures: SearchPictures,
    private readonly models: ModelRegistry,
    private readonly tables: MediaTableStore,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly anchors: SearchAnchorRepository,
  ) {}

  /** The image model of the dataset; checked before the upload is read. */
  async modelFor(datasetId: string): Promise<string> {
    const { status, pointer } = await this.datasets.get(datasetId);
    if (status !== 'READY' || pointer === null) throw new DatasetStatusError('visual_search', status, ['READY']);
    const model = this.models.get('IMAGE_ENCODING', pointer.modelId);
    assertGives(model, (await this.tables.open(pointer)).dimensions.embedding);
    return model.manifest.id;
  }

  async create(wish: AnchorRequest, region: Box | null, file: ReceivedFile, userId: string): Promise<string> {
    try {
      const anchor = newAnchor(wish, await this.embed(userId, file, wish.modelId, region), new Date());
      await this.transactions.run(async () => {
        await this.datasets.lock(wish.datasetId);
        await this.anchors.insert(anchor);
      });
      return anchor.id;
    } finally {
      await dropStagedFiles(this.store, [file.key]);
    }
  }

  private async embed(userId: string, file: ReceivedFile, modelId: string, region: Box | null): Promise<Float32Array> {
    const result = await this.pictures.embed(userId, {
      source: storeSource(file.key),
      modelId,
      region,
      swapRedBlueForTiffHeic: this.settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC'),
    });
    if (result.kind === 'QUARANTINED') throw new UnusableImageError(result);
    return result.embedding;
  }
}
