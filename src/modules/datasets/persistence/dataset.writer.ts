import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import type { Dataset } from '../domain/dataset';
import { DatasetEntity } from './dataset.entity';
import { countColumns } from './version.columns';

/** Creates and deletes datasets, and writes everything except status and published table. */
@Injectable()
export class DatasetWriter {
  constructor(@InjectRepository(DatasetEntity) private readonly datasets: Repository<DatasetEntity>) {}

  /** `annotationState` is that of a dataset that will get its table later. */
  async insert(dataset: Dataset, annotationState = dataset.pointer?.annotationState ?? null): Promise<void> {
    const { counts, pointer } = dataset;
    await this.datasets.insert({
      id: dataset.id,
      workspaceId: dataset.workspaceId,
      ownerId: dataset.ownerId,
      displayName: dataset.displayName,
      description: dataset.description,
      sourceType: dataset.sourceType,
      sourceUri: dataset.sourceUri,
      createdAt: dataset.createdAt,
      touchedAt: dataset.createdAt,
      statusNew: dataset.status,
      progress: dataset.progress,
      ...countColumns(counts),
      fatalErrorMsg: dataset.fatalErrorMessage,
      sourceDatasetId: dataset.sourceDatasetId,
      thumbnailKey: dataset.thumbnailKey,
      generationId: pointer?.generation ?? null,
      tableVersion: pointer?.version ?? null,
      tagsFile: pointer?.tagsFile ?? null,
      annotationState,
      snapshotsSupported: dataset.snapshotsSupported,
      labelsFromFolders: dataset.labelsFromFolders,
      currentSnapshotId: dataset.currentSnapshotId,
    });
  }

  /** The dataset must be locked. */
  async setCurrentSnapshot(id: string, snapshotId: string): Promise<void> {
    await this.update(id, { currentSnapshotId: snapshotId });
  }

  /** The dataset must be locked, and not be indexed yet. */
  async setLabelsFromFolders(id: string, labelsFromFolders: boolean): Promise<void> {
    await this.update(id, { labelsFromFolders });
  }

  async describe(id: string, words: Pick<Dataset, 'displayName' | 'description'>): Promise<void> {
    await this.update(id, words);
  }

  /** Publishes the tags. The dataset must be locked. */
  async publishTags(id: string, tagsFile: string): Promise<void> {
    await this.update(id, { tagsFile });
  }

  /** Publishes annotations. The dataset must be locked. */
  async publishAnnotations(id: string, annotationState: string | null): Promise<void> {
    await this.update(id, { annotationState });
  }

  async touch(id: string): Promise<void> {
    await this.update(id, { touchedAt: new Date() });
  }

  /** Returns how many datasets have a new owner. */
  async transferAll(fromUserId: string, toUserId: string, workspaceId?: string): Promise<number> {
    const owned = { ownerId: fromUserId, ...(workspaceId === undefined ? {} : { workspaceId }) };
    const { affected } = await this.datasets.update(owned, { ownerId: toUserId });
    return affected ?? 0;
  }

  async delete(id: string): Promise<void> {
    await this.datasets.delete({ id });
  }

  isUntouchedSince(id: string, time: Date): Promise<boolean> {
    return this.datasets.existsBy({ id, touchedAt: LessThan(time) });
  }

  async listStaleDrafts(before: Date): Promise<string[]> {
    const rows = await this.datasets.find({
      select: { id: true },
      where: { statusNew: 'DRAFT', touchedAt: LessThan(before) },
    });
    return rows.map(({ id }) => id);
  }

  private async update(id: string, columns: Partial<DatasetEntity>): Promise<void> {
    await this.datasets.update({ id }, columns);
  }
}
