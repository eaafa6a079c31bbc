import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GenerationRepository, type DatasetPointer, type NamedTag } from '../../datasets';
import type { Snapshot, SnapshotReason } from '../domain/snapshot';

@Entity('snapshot')
@Index(['datasetId', 'createdAt'])
export class SnapshotEntity {
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

  /** Null after deletion, so that it no longer pins a version. */
  @Index()
  @Column('uuid', { nullable: true })
  generationId!: string | null;

  @Column('integer')
  tableVersion!: number;

  @Index()
  @Column('uuid', { nullable: true })
  tagsFile!: string | null;

  @Index()
  @Column('uuid', { nullable: true })
  annotationState!: string | null;

  @Column('jsonb')
  tags!: NamedTag[];

  @Column('integer')
  nImages!: number;

  @Column('integer')
  nVideos!: number;

  @Column('integer')
  nObjects!: number;

  @Column('integer')
  nFrames!: number;

  @Column('text', { nullable: true })
  thumbnailKey!: string | null;

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
      generationId: pointer.generation,
      tableVersion: pointer.version,
      tagsFile: pointer.tagsFile,
      annotationState: pointer.annotationState,
      tags: [...tags],
      nImages: counts.images,
      nVideos: counts.videos,
      nObjects: counts.objects,
      nFrames: counts.frames,
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
    const released = { generationId: null, tagsFile: null, annotationState: null };
    await this.snapshots.update({ id }, { deletedAt: new Date(), ...released });
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
  counts: { images: row.nImages, videos: row.nVideos, objects: row.nObjects, frames: row.nFrames },
  thumbnailKey: row.thumbnailKey,
});

/** The table is created by a migration of `datasets`, which reference snapshots. */
export const snapshotsPersistence = { entities: [SnapshotEntity], migrations: [] };
