import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { Principal } from '../../../common/platform/http/principal';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { DatasetReader } from '../../datasets';
import { StartAddition } from './start-addition';
import { ArchiveFiles } from '../uploads/archive-files';
import { ContentBlobs, type ReceivedUpload } from '../uploads/content-blobs';
import type { Addition } from './domain/addition';
import { MediaLock } from '../../tables';
import { UploadRepository } from '../persistence/upload.repository';
import { UploadedMedia } from './uploaded-media';

const MAX_ARCHIVE_MEMBERS = 1_000_000;

/** Receives files and archives as a stream, and starts their addition once all have arrived. */
@Injectable()
export class AddUploadedMediaUseCase {
  private readonly blobs: ContentBlobs;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly media: MediaLock,
    private readonly uploads: UploadRepository,
    private readonly archives: ArchiveFiles,
    private readonly additions: StartAddition,
  ) {
    this.blobs = new ContentBlobs(store);
  }

  open(userId: string): UploadedMedia {
    const { maxFilesPerUpload, maxUploadBytes, maxArchiveBytes } = this.configuration;
    return new UploadedMedia({
      store: this.store,
      maxFiles: maxFilesPerUpload,
      maxFileBytes: maxUploadBytes,
      archives: this.archives,
      userId,
      archiveLimits: { maxBytes: maxArchiveBytes, maxMembers: MAX_ARCHIVE_MEMBERS },
    });
  }

  async start(
    datasetId: string,
    received: readonly ReceivedUpload[],
    batch: Omit<Addition, 'source'>,
    caller: Principal,
  ): Promise<void> {
    await this.blobs.promote(received);
    await this.transactions.run(async () => {
      await this.media.share();
      const dataset = await this.datasets.lock(datasetId);
      const transactionId = await this.uploads.open(datasetId);
      const source = { kind: 'upload', transactionId } as const;
      await this.additions.start(dataset, { ...batch, source }, caller);
      await this.blobs.restore(received);
      await this.uploads.addFiles({ id: transactionId, datasetId, processedAt: null }, received);
      await this.uploads.markProcessed(transactionId);
    });
  }
}
