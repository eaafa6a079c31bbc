import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository, Column, Entity, PrimaryColumn } from 'typeorm';
import type { QuarantineReason } from '../../../common/engine/compute/media-analysis';

@Entity('quarantined_file')
export class QuarantinedFileEntity {
  @PrimaryColumn('uuid')
  datasetId!: string;

  /** Hashed, because a path may exceed the size limit of an index entry. */
  @PrimaryColumn('text')
  pathHash!: string;

  @Column('text')
  path!: string;

  @Column('uuid')
  taskId!: string;

  @Column('text')
  reason!: QuarantineReason;

  @Column('text')
  detail!: string;

  @Column('timestamptz')
  quarantinedAt!: Date;
}

export interface QuarantinedFile {
  readonly path: string;
  readonly reason: QuarantineReason;
  readonly detail: string;
  readonly quarantinedAt: Date;
}

const INSERT_CHUNK = 5000;

@Injectable()
export class QuarantineRepository {
  constructor(
    @InjectRepository(QuarantinedFileEntity) private readonly quarantined: Repository<QuarantinedFileEntity>,
  ) {}

  /** For several reasons for one file, the last one is kept. */
  async add(datasetId: string, taskId: string, reasons: readonly QuarantinedFile[]): Promise<void> {
    const files = [...new Map(reasons.map((file) => [file.path, file])).values()];
    for (let at = 0; at < files.length; at += INSERT_CHUNK) {
      await this.quarantined
        .createQueryBuilder()
        .insert()
        .values(
          files.slice(at, at + INSERT_CHUNK).map((file) => ({
            ...file,
            datasetId,
            taskId,
            // Postgres text cannot contain NUL.
            path: file.path.replaceAll('\0', ''),
            detail: file.detail.replaceAll('\0', ''),
            pathHash: createHash('sha256').update(file.path).digest('hex'),
          })),
        )
        .orUpdate(['task_id', 'reason', 'detail', 'quarantined_at'], ['dataset_id', 'path_hash'])
        .execute();
    }
  }

  async clear(taskId: string): Promise<void> {
    await this.quarantined.delete({ taskId });
  }

  async clearAll(taskIds: readonly string[]): Promise<void> {
    await this.quarantined.delete({ taskId: In([...taskIds]) });
  }

  countOfTask(taskId: string): Promise<number> {
    return this.quarantined.countBy({ taskId });
  }
}
