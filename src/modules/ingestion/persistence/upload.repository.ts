import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  In,
  IsNull,
  MoreThan,
  Not,
  Repository,
  Column,
  Entity,
  Index,
  PrimaryGeneratedColumn,
  PrimaryColumn,
} from 'typeorm';
import { UploadTransactionNotFoundError } from '../uploads/domain/upload-errors';

@Entity('upload_file')
export class UploadFileEntity {
  @PrimaryColumn('integer')
  transactionId!: number;

  /** The relative path given by the client, with `/`. */
  @PrimaryColumn('text')
  path!: string;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Index()
  @Column('text')
  storeKey!: string;

  @Column('bigint')
  sizeBytes!: string;

  @Column('text')
  sha256!: string;

  @Column('timestamptz')
  createdAt!: Date;
}

@Entity('upload_transaction')
export class UploadTransactionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  processedAt!: Date | null;
}

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

const INSERT_CHUNK = 2000;

/** Columns as arrays: an archive may have a million files, and one parameter for each value takes twenty times as long. */
const INSERT_FILES = `
  INSERT INTO upload_file (transaction_id, dataset_id, created_at, path, store_key, size_bytes, sha256)
  SELECT $1::int, $2::uuid, $3::timestamptz, * FROM unnest($4::text[], $5::text[], $6::bigint[], $7::text[])
  ON CONFLICT (transaction_id, path) DO UPDATE SET store_key = excluded.store_key,
    size_bytes = excluded.size_bytes, sha256 = excluded.sha256, created_at = excluded.created_at`;

@Injectable()
export class UploadRepository {
  constructor(
    @InjectRepository(UploadTransactionEntity) private readonly uploads: Repository<UploadTransactionEntity>,
    @InjectRepository(UploadFileEntity) private readonly uploadFiles: Repository<UploadFileEntity>,
  ) {}

  async open(datasetId: string): Promise<number> {
    const values = { datasetId, createdAt: new Date(), processedAt: null };
    const result = await this.uploads.insert(values);
    return (result.identifiers[0] as { id: number }).id;
  }

  async find(datasetId: string, id: number): Promise<UploadTransaction> {
    const found = await this.uploads.findOneBy({ id, datasetId });
    if (found === null) throw new UploadTransactionNotFoundError();
    return found;
  }

  async lock(datasetId: string, id: number): Promise<UploadTransaction> {
    const found = await this.uploads
      .createQueryBuilder('upload')
      .where({ id, datasetId })
      .setLock('pessimistic_write')
      .getOne();
    if (found === null) throw new UploadTransactionNotFoundError();
    return found;
  }

  /** The latest one: after an aborted creation another upload may follow. */
  async processedTransaction(datasetId: string): Promise<number | undefined> {
    const found = await this.uploads.findOne({
      where: { datasetId, processedAt: Not(IsNull()) },
      order: { processedAt: 'DESC' },
    });
    return found?.id;
  }

  async markProcessed(id: number): Promise<void> {
    await this.uploads.update({ id }, { processedAt: new Date() });
  }

  /** Its blobs are kept as long as a published table references them. */
  async remove(id: number): Promise<void> {
    await this.uploads.delete({ id });
  }

  async hasFiles(transactionId: number): Promise<boolean> {
    return this.uploadFiles.existsBy({ transactionId });
  }

  /** A path that is sent again replaces the earlier file. */
  async addFiles({ id, datasetId }: UploadTransaction, files: readonly UploadedFile[]): Promise<void> {
    const byPath = [...new Map(files.map((file) => [file.path, file])).values()];
    for (let at = 0; at < byPath.length; at += INSERT_CHUNK) {
      const chunk = byPath.slice(at, at + INSERT_CHUNK);
      await this.uploads.query(INSERT_FILES, [
        id,
        datasetId,
        new Date(),
        chunk.map(({ path }) => path),
        chunk.map(({ storeKey }) => storeKey),
        chunk.map(({ sizeBytes }) => sizeBytes),
        chunk.map(({ sha256 }) => sha256),
      ]);
    }
  }

  /** Ordered by path, in pages. */
  async *files(transactionId: number, pageSize = 2000): AsyncGenerator<UploadedFile> {
    for (let after = ''; ;) {
      const page = await this.uploadFiles.find({
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
    const rows = await this.uploadFiles
      .createQueryBuilder('file')
      .select('file.storeKey', 'key')
      .distinct(true)
      .where({ storeKey: In([...keys]) })
      .getRawMany<{ key: string }>();
    return new Set(rows.map(({ key }) => key));
  }
}
