import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, Not } from 'typeorm';
import { TransactionRunner } from '../../../common/database/transaction-runner';
import { UploadTransactionNotFoundError } from '../domain/ingestion-errors';
import { UploadFileEntity } from './upload-file.entity';
import { UploadTransactionEntity } from './upload-transaction.entity';

export interface UploadedFile {
  readonly path: string;
  readonly storeKey: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface UploadTransaction {
  readonly id: number;
  readonly datasetId: string;
  readonly processedAt: Date | null;
}

const INSERT_CHUNK = 5000;

@Injectable()
export class UploadRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  async open(datasetId: string): Promise<number> {
    const values = { datasetId, createdAt: new Date(), processedAt: null };
    const result = await this.transactions.current().insert(UploadTransactionEntity, values);
    return (result.identifiers[0] as { id: number }).id;
  }

  async find(datasetId: string, id: number): Promise<UploadTransaction> {
    const found = await this.transactions.current().findOneBy(UploadTransactionEntity, { id, datasetId });
    if (found === null) throw new UploadTransactionNotFoundError();
    return found;
  }

  async lock(datasetId: string, id: number): Promise<UploadTransaction> {
    const found = await this.transactions
      .current()
      .createQueryBuilder(UploadTransactionEntity, 'upload')
      .where({ id, datasetId })
      .setLock('pessimistic_write')
      .getOne();
    if (found === null) throw new UploadTransactionNotFoundError();
    return found;
  }

  /** Until the transaction ends, no sweep deletes blobs. */
  async holdOffSweep(): Promise<void> {
    await this.transactions.current().query("SELECT pg_advisory_xact_lock_shared(hashtextextended('blob-sweep', 2))");
  }

  /** Until the transaction ends, no upload comes to refer to a blob. */
  async holdOffUploads(): Promise<void> {
    await this.transactions.current().query("SELECT pg_advisory_xact_lock(hashtextextended('blob-sweep', 2))");
  }

  async processedTransaction(datasetId: string): Promise<number | undefined> {
    const found = await this.transactions
      .current()
      .findOneBy(UploadTransactionEntity, { datasetId, processedAt: Not(IsNull()) });
    return found?.id;
  }

  async markProcessed(id: number): Promise<void> {
    await this.transactions.current().update(UploadTransactionEntity, { id }, { processedAt: new Date() });
  }

  async hasFiles(transactionId: number): Promise<boolean> {
    return this.transactions.current().existsBy(UploadFileEntity, { transactionId });
  }

  /** A path sent again replaces what was sent before. */
  async addFiles(transaction: UploadTransaction, files: readonly UploadedFile[]): Promise<void> {
    const byPath = [...new Map(files.map((file) => [file.path, file])).values()];
    for (let at = 0; at < byPath.length; at += INSERT_CHUNK) {
      await this.transactions
        .current()
        .createQueryBuilder()
        .insert()
        .into(UploadFileEntity)
        .values(
          byPath.slice(at, at + INSERT_CHUNK).map((file) => ({
            ...file,
            sizeBytes: String(file.sizeBytes),
            transactionId: transaction.id,
            datasetId: transaction.datasetId,
            createdAt: new Date(),
          })),
        )
        .orUpdate(['store_key', 'size_bytes', 'sha256', 'created_at'], ['transaction_id', 'path'])
        .execute();
    }
  }

  /** In order of path, page by page. */
  async *files(transactionId: number, pageSize = 2000): AsyncGenerator<UploadedFile> {
    for (let after = ''; ;) {
      const page = await this.transactions.current().find(UploadFileEntity, {
        where: { transactionId, path: MoreThan(after) },
        order: { path: 'ASC' },
        take: pageSize,
      });
      for (const file of page) {
        yield { path: file.path, storeKey: file.storeKey, sizeBytes: Number(file.sizeBytes), sha256: file.sha256 };
      }
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) return;
      after = last.path;
    }
  }

  async referencedKeys(keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.transactions
      .current()
      .createQueryBuilder(UploadFileEntity, 'file')
      .select('file.storeKey', 'key')
      .distinct(true)
      .where({ storeKey: In([...keys]) })
      .getRawMany<{ key: string }>();
    return new Set(rows.map(({ key }) => key));
  }
}
