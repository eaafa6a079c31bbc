import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Files that people removed from a dataset and that its source may still have, many in a row. */
@Entity('removed_files')
export class RemovedFilesEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Index()
  @Column('uuid')
  datasetId!: string;

  /** In the format of the module that compares the source. */
  @Column('bytea')
  files!: Buffer;
}

/** The files that people removed from datasets, which a synchronisation leaves out. */
@Injectable()
export class RemovedFilesRepository {
  constructor(@InjectRepository(RemovedFilesEntity) private readonly removed: Repository<RemovedFilesEntity>) {}

  async add(datasetId: string, files: Buffer): Promise<void> {
    await this.removed.insert({ id: randomUUID(), datasetId, files });
  }

  /** One row after the other. */
  async *read(datasetId: string): AsyncGenerator<Buffer> {
    const ids = await this.removed.find({ select: { id: true }, where: { datasetId } });
    for (const { id } of ids) {
      const row = await this.removed.findOneBy({ id });
      if (row !== null) yield row.files;
    }
  }

  /** To a new dataset with the media of another. */
  async copy(fromId: string, toId: string): Promise<void> {
    await this.removed.query(
      `INSERT INTO removed_files (id, dataset_id, files)
       SELECT gen_random_uuid(), $2, files FROM removed_files WHERE dataset_id = $1`,
      [fromId, toId],
    );
  }
}
