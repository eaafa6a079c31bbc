import { Inject, Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { ReceivedFile } from '../../../common/platform/http/multipart';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { DatasetWriter } from '../../datasets';
import { blobKey, ContentBlobs, type ReceivedUpload } from '../uploads/content-blobs';
import { TransactionProcessedError } from '../uploads/domain/upload-errors';
import { safeRelativePath } from '../sources/domain/safe-relative-path';
import { MediaLock } from '../../tables';
import { UploadRepository } from '../persistence/upload.repository';

@Injectable()
export class ReceiveUploadUseCase {
  private readonly blobs: ContentBlobs;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly media: MediaLock,
    private readonly uploads: UploadRepository,
    private readonly datasets: DatasetWriter,
    @Inject(OBJECT_STORE) store: ObjectStore,
  ) {
    this.blobs = new ContentBlobs(store);
  }

  open(datasetId: string): Promise<number> {
    return this.uploads.open(datasetId);
  }

  /** Checked before the body is read. */
  async assertOpen(datasetId: string, transactionId: number): Promise<void> {
    const transaction = await this.uploads.find(datasetId, transactionId);
    if (transaction.processedAt !== null) throw new TransactionProcessedError(transactionId);
  }

  /** Adds all of the files to the transaction, or none. */
  async receive(datasetId: string, transactionId: number, received: readonly ReceivedFile[]): Promise<void> {
    const files = received.map(({ clientName, key, size, sha256 }): ReceivedUpload => {
      const path = safeRelativePath(clientName);
      return { path, storeKey: blobKey(sha256, path), sizeBytes: size, sha256, stagingKey: key };
    });
    try {
      await this.blobs.promote(files);
      await this.transactions.run(async () => {
        await this.media.share();
        await this.blobs.restore(files);
        const transaction = await this.uploads.lock(datasetId, transactionId);
        if (transaction.processedAt !== null) throw new TransactionProcessedError(transactionId);
        await this.uploads.addFiles(transaction, files);
        await this.datasets.touch(datasetId);
      });
    } finally {
      await this.blobs.dropStaged(files);
    }
  }
}
