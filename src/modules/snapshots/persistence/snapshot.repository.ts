import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  countColumns,
  countsOf,
  GenerationRepository,
  RELEASED_VERSION,
  ShownVersionColumns,
  versionColumns,
  type DatasetPointer,
  type NamedTag,
} from '../../datasets';
import type { Snapshot, SnapshotReason } from '../domain/snapshot';

@Entity('snapshot')
@Index(['datasetId', 'createdAt'])
export class SnapshotEntity extends ShownVersionColumns {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  datasetId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('text')
  reason!: SnapshotReason;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('text')
  createdBy!: string;

  @Column('integer')
  tableVersion!: number;

  @Column('jsonb')
  tags!: NamedTag[];

  @Column('timestamptz', { nullable: true })
  deletedAt!: Date | null;
}

type Words = Partial<Pick<Snapshot, 'name' | 'description'>>;

@Injectable()
export class SnapshotRepository {
  constructor(
    @InjectRepository(SnapshotEntity) private readonly snapshots: Repository<SnapshotEntity>,
    private readonly generations: GenerationRepository,
  ) {}

  async insert(snapshot: Snapshot): Promise<void> {
    const { pointer, tags, counts, ...rest } = snapshot;
    await this.snapshots.insert({
      ...rest,
      ...versionColumns(pointer),
      ...countColumns(counts),
      tags: [...tags],
      deletedAt: null,
    });
  }

  /** Deleted snapshots are not found. */
  async find(datasetId: string, id: string): Promise<Snapshot | undefined> {
    const [found] = await this.read({ datasetId, id });
    return found;
  }

  /** Newest first. */
  list(datasetId: string): Promise<Snapshot[]> {
    return this.read({ datasetId });
  }

  async describe(id: string, words: Words): Promise<void> {
    await this.snapshots.update({ id }, words);
  }

  async markDeleted(id: string): Promise<void> {
    await this.snapshots.update({ id }, { deletedAt: new Date(), ...RELEASED_VERSION });
  }

  private async read(where: { datasetId: string; id?: string }): Promise<Snapshot[]> {
    const rows = await this.snapshots.find({
      where: { ...where, deletedAt: IsNull() },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    const pointers = await this.generations.pointersInto(
      rows.map(({ generationId, tableVersion, tagsFile, annotationState }) => ({
        // Null only in deleted snapshots.
        generation: generationId!,
        version: tableVersion,
        tagsFile,
        annotationState,
      })),
    );
    return rows.map((row, i) => toSnapshot(row, pointers[i]!));
  }
}

const toSnapshot = (row: SnapshotEntity, pointer: DatasetPointer): Snapshot => ({
  id: row.id,
  datasetId: row.datasetId,
  name: row.name,
  description: row.description,
  reason: row.reason,
  createdAt: row.createdAt,
  createdBy: row.createdBy,
  pointer,
  tags: row.tags,
  counts: countsOf(row),
  thumbnailKey: row.thumbnailKey,
});

/** The table is created by a migration of `datasets`, which reference snapshots. */
export const snapshotsPersistence = { entities: [SnapshotEntity], migrations: [] };
