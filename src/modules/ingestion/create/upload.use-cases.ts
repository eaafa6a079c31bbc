import { Inject, Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { ReceivedFile } from '../../../common/platform/http/multipart';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { DatasetWriter, DatasetReader, DatasetStatusError } from '../../datasets';
import { blobKey, ContentBlobs, type ReceivedUpload } from '../uploads/content-blobs';
import { TransactionProcessedError, EmptyTransactionError } from '../uploads/domain/upload-errors';
import { safeRelativePath } from '../sources/domain/safe-relative-path';
import { MediaLock, chooseModels } from '../../tables';
import { UploadRepository } from '../persistence/upload.repository';
import type { Principal } from '../../../common/platform/http/principal';
import { Settings } from '../../settings';
import { DatasetOperations } from '../../tasks';
import { DATASET_CREATION } from './index-dataset.job';
import { newDataset } from './domain/new-dataset';

/** Creates an empty dataset to upload files to. */
@Injectable()
export class CreateDraftUseCase {
  constructor(
    private readonly settings: Settings,
    private readonly datasets: DatasetWriter,
  ) {}

  async create(name: string, owner: Principal): Promise<string> {
    const dataset = newDataset(owner, {
      name,
      sourceType: 'UPLOAD',
      sourceUri: null,
      snapshotsSupported: this.settings.isOn('DATASET_SNAPSHOTS_ENABLED'),
      labelsFromFolders: false,
    });
    await this.datasets.insert(dataset);
    return dataset.id;
  }
}

@Injectable()
export class ProcessUploadUseCase {
  constructor(
    private readonly settings: Settings,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly changes: DatasetWriter,
    private readonly uploads: UploadRepository,
    private readonly operations: DatasetOperations,
  ) {}

  async process(
    datasetId: string,
    transactionId: number,
    caller: Principal,
    { labelsFromFolders }: { readonly labelsFromFolders: boolean },
  ): Promise<void> {
    await this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      const upload = await this.uploads.lock(datasetId, transactionId);
      if (upload.processedAt !== null) throw new TransactionProcessedError(transactionId);
      if (dataset.status !== 'DRAFT') throw new DatasetStatusError('process_files', dataset.status, ['DRAFT']);
      if (!(await this.uploads.hasFiles(transactionId))) throw new EmptyTransactionError(transactionId);
      await this.uploads.markProcessed(transactionId);
      await this.changes.setLabelsFromFolders(datasetId, labelsFromFolders);
      await this.operations.start(DATASET_CREATION, dataset, caller.email, chooseModels(this.settings));
    });
  }
}

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
