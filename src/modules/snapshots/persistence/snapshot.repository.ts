import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { GenerationRepository, type DatasetPointer } from '../../datasets';
import type { Snapshot } from '../domain/snapshot';
import { SnapshotEntity } from './snapshot.entity';

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
    await this.snapshots.update({ id }, { deletedAt: new Date(), generationId: null, tagsFile: null });
  }

  private async read(where: { datasetId: string; id?: string }): Promise<Snapshot[]> {
    const rows = await this.snapshots.find({
      where: { ...where, deletedAt: IsNull() },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    const pointers = await this.generations.pointersInto(
      rows.map(({ generationId, tableVersion, tagsFile }) => ({
        // Null only in deleted snapshots.
        generation: generationId!,
        version: tableVersion,
        tagsFile,
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
