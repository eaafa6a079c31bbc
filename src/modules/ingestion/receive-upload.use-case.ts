import { extname } from 'node:path/posix';
import { Inject, Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/database/transaction-runner';
import type { ReceivedFile } from '../../common/http/multipart';
import { OBJECT_STORE } from '../../common/storage/storage.module';
import type { ObjectStore } from '../../common/storage/object-store';
import { DatasetRepository } from '../datasets';
import { TransactionProcessedError, UnsupportedFormatError } from './domain/ingestion-errors';
import { classifyFileName } from './domain/media-formats';
import { safeRelativePath } from './domain/safe-relative-path';
import { UploadRepository, type UploadedFile } from './persistence/upload.repository';

const BLOB_PREFIX = 'blobs/';

const PROMOTIONS_AT_ONCE = 8;

/** Uploads are kept once under what they hold; the extension stays, for it tells the content type. */
const blobKey = (sha256: string, path: string): string =>
  `${BLOB_PREFIX}${sha256.slice(0, 2)}/${sha256}${extname(path).toLowerCase()}`;

export function assertAccepted(clientName: string): void {
  if (classifyFileName(safeRelativePath(clientName)) === 'unsupported') throw new UnsupportedFormatError(clientName);
}

@Injectable()
export class ReceiveUploadUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly uploads: UploadRepository,
    private readonly datasets: DatasetRepository,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  /** Asked before the first byte is read. */
  async assertOpen(datasetId: string, transactionId: number): Promise<void> {
    const transaction = await this.uploads.find(datasetId, transactionId);
    if (transaction.processedAt !== null) throw new TransactionProcessedError(transactionId);
  }

  /** All of the files belong to the transaction afterwards, or none. */
  async receive(datasetId: string, transactionId: number, received: readonly ReceivedFile[]): Promise<void> {
    const files = received.map((file): UploadedFile & { stagingKey: string } => {
      const path = safeRelativePath(file.clientName);
      return {
        path,
        storeKey: blobKey(file.sha256, path),
        sizeBytes: file.size,
        sha256: file.sha256,
        stagingKey: file.key,
      };
    });
    try {
      await this.promote(files);
      await this.transactions.run(async () => {
        await this.uploads.holdOffSweep();
        await this.promote(await this.missing(files));
        const transaction = await this.uploads.lock(datasetId, transactionId);
        if (transaction.processedAt !== null) throw new TransactionProcessedError(transactionId);
        await this.uploads.addFiles(
          transaction,
          files.map(({ path, storeKey, sizeBytes, sha256 }) => ({ path, storeKey, sizeBytes, sha256 })),
        );
        await this.datasets.touch(datasetId);
      });
    } finally {
      await this.store.delete(files.map(({ stagingKey }) => stagingKey));
    }
  }

  /** A sweep may have taken a blob that nothing referred to until now. */
  private async missing<File extends { storeKey: string }>(files: readonly File[]): Promise<File[]> {
    const heads = await Promise.all(files.map(({ storeKey }) => this.store.head(storeKey)));
    return files.filter((_, at) => heads[at] === undefined);
  }

  private async promote(files: readonly { stagingKey: string; storeKey: string }[]): Promise<void> {
    for (let at = 0; at < files.length; at += PROMOTIONS_AT_ONCE) {
      const batch = files.slice(at, at + PROMOTIONS_AT_ONCE);
      await Promise.all(batch.map(({ stagingKey, storeKey }) => this.store.copy(stagingKey, storeKey)));
    }
  }
}
