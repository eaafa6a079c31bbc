import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { TransactionRunner } from '../../../common/database/transaction-runner';
import { DatasetNotFoundError } from '../domain/dataset-errors';
import type { Dataset, DatasetCounts, DatasetPointer } from '../domain/dataset';
import type { GrantedRole } from '../domain/dataset-role';
import { nextStatus, type DatasetEvent } from '../domain/dataset-status';
import type { Snapshot } from '../domain/snapshot';
import { DatasetMemberEntity } from './dataset-member.entity';
import { DatasetEntity } from './dataset.entity';
import { GenerationEntity } from './generation.entity';
import { pointerInto } from './pointer';

const toPointer = (row: DatasetEntity, generation: GenerationEntity | undefined): DatasetPointer | null =>
  generation === undefined || row.tableVersion === null
    ? null
    : pointerInto(generation, row.tableVersion, row.tagsFile);

const toDataset = (row: DatasetEntity, generation: GenerationEntity | undefined): Dataset => ({
  id: row.id,
  workspaceId: row.workspaceId,
  ownerId: row.ownerId,
  displayName: row.displayName,
  description: row.description,
  sourceType: row.sourceType,
  sourceUri: row.sourceUri,
  createdAt: row.createdAt,
  status: row.statusNew,
  progress: row.progress,
  counts: { images: row.nImages, videos: row.nVideos, objects: row.nObjects, frames: row.nFrames },
  fatalErrorMessage: row.fatalErrorMsg,
  sourceDatasetId: row.sourceDatasetId,
  thumbnailKey: row.thumbnailKey,
  pointer: toPointer(row, generation),
  snapshotsSupported: row.snapshotsSupported,
  currentSnapshotId: row.currentSnapshotId,
});

export interface PublishedTable {
  readonly generation: string;
  readonly version: number;
  readonly rows: number;
  readonly bytes: number;
  readonly counts: DatasetCounts;
  readonly thumbnailKey: string | null;
  /** The assignments of tags that belong to these rows; those that stand when absent. */
  readonly tagsFile?: string | null;
}

export interface DatasetAccess {
  readonly workspaceId: string;
  readonly ownerId: string;
  readonly granted: GrantedRole | undefined;
}

export interface SharedDataset {
  readonly dataset: Dataset;
  readonly granted: GrantedRole | undefined;
}

@Injectable()
export class DatasetRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  async insert(dataset: Dataset): Promise<void> {
    const { counts, pointer } = dataset;
    await this.transactions.current().insert(DatasetEntity, {
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
      nImages: counts.images,
      nVideos: counts.videos,
      nObjects: counts.objects,
      nFrames: counts.frames,
      fatalErrorMsg: dataset.fatalErrorMessage,
      sourceDatasetId: dataset.sourceDatasetId,
      thumbnailKey: dataset.thumbnailKey,
      generationId: pointer?.generation ?? null,
      tableVersion: pointer?.version ?? null,
      tagsFile: pointer?.tagsFile ?? null,
      snapshotsSupported: dataset.snapshotsSupported,
      currentSnapshotId: dataset.currentSnapshotId,
    });
  }

  async find(id: string): Promise<Dataset | undefined> {
    const manager = this.transactions.current();
    const row = await manager.findOneBy(DatasetEntity, { id });
    return row === null ? undefined : (await this.withPointers([row]))[0];
  }

  /** All of the workspace, or those that the user owns or that are shared with them; and what each is shared as. */
  async listOfWorkspace(workspaceId: string, userId: string, all: boolean): Promise<SharedDataset[]> {
    const query = this.withGrants(userId).where({ workspaceId });
    if (!all) query.andWhere('(dataset.ownerId = :userId OR member.role IS NOT NULL)');
    const { entities, raw } = await query.getRawAndEntities<{ granted: GrantedRole | null }>();
    const datasets = await this.withPointers(entities);
    return datasets.map((dataset, index) => ({ dataset, granted: raw[index]!.granted ?? undefined }));
  }

  /** Who owns it, and what it is shared with the user as. */
  async findAccess(id: string, userId: string): Promise<DatasetAccess | undefined> {
    const query = this.withGrants(userId).where({ id });
    const row = await query
      .select('dataset.workspaceId', 'workspaceId')
      .addSelect('dataset.ownerId', 'ownerId')
      .addSelect('member.role', 'granted')
      .getRawOne<{ workspaceId: string; ownerId: string; granted: GrantedRole | null }>();
    return row && { ...row, granted: row.granted ?? undefined };
  }

  /** Answers how many have a new owner. */
  async transferAll(fromUserId: string, toUserId: string, workspaceId?: string): Promise<number> {
    const owned = { ownerId: fromUserId, ...(workspaceId === undefined ? {} : { workspaceId }) };
    const { affected } = await this.transactions.current().update(DatasetEntity, owned, { ownerId: toUserId });
    return affected ?? 0;
  }

  /** Holds the dataset until the transaction ends: whoever starts or ends an operation on it goes through here. */
  async lock(id: string): Promise<Dataset> {
    const row = await this.transactions
      .current()
      .createQueryBuilder(DatasetEntity, 'dataset')
      .where({ id })
      .setLock('pessimistic_write')
      .getOne();
    if (row === null) throw new DatasetNotFoundError();
    return (await this.withPointers([row]))[0]!;
  }

  /** The dataset must be locked. */
  async applyEvent(
    dataset: Dataset,
    event: DatasetEvent,
    changes: { progress?: number; fatalErrorMessage?: string | null } = {},
  ): Promise<void> {
    await this.transactions.current().update(
      DatasetEntity,
      { id: dataset.id },
      {
        statusNew: nextStatus(dataset.status, event),
        touchedAt: new Date(),
        ...(changes.progress === undefined ? {} : { progress: changes.progress }),
        ...(changes.fatalErrorMessage === undefined ? {} : { fatalErrorMsg: changes.fatalErrorMessage }),
      },
    );
  }

  /** The flip: from here on readers see the new table. The dataset must be locked. */
  async publish(id: string, table: PublishedTable): Promise<void> {
    const manager = this.transactions.current();
    const { counts } = table;
    await manager.update(
      GenerationEntity,
      { id: table.generation },
      { writerTaskId: null, tableRows: table.rows, tableBytes: String(table.bytes) },
    );
    await manager.update(
      DatasetEntity,
      { id },
      {
        generationId: table.generation,
        tableVersion: table.version,
        nImages: counts.images,
        nVideos: counts.videos,
        nObjects: counts.objects,
        nFrames: counts.frames,
        thumbnailKey: table.thumbnailKey,
        ...(table.tagsFile === undefined ? {} : { tagsFile: table.tagsFile }),
      },
    );
  }

  /** From here on readers see what the snapshot kept. The dataset must be locked. */
  async pointAt(id: string, snapshot: Snapshot): Promise<void> {
    const { pointer, counts, thumbnailKey } = snapshot;
    await this.transactions.current().update(
      DatasetEntity,
      { id },
      {
        generationId: pointer.generation,
        tableVersion: pointer.version,
        tagsFile: pointer.tagsFile,
        nImages: counts.images,
        nVideos: counts.videos,
        nObjects: counts.objects,
        nFrames: counts.frames,
        thumbnailKey,
        currentSnapshotId: snapshot.id,
      },
    );
  }

  /** The dataset must be locked. */
  async setCurrentSnapshot(id: string, snapshotId: string): Promise<void> {
    await this.transactions.current().update(DatasetEntity, { id }, { currentSnapshotId: snapshotId });
  }

  /** From here on readers see these tags. The dataset must be locked. */
  async publishTags(id: string, tagsFile: string): Promise<void> {
    await this.transactions.current().update(DatasetEntity, { id }, { tagsFile });
  }

  async saveProgress(id: string, progress: number): Promise<void> {
    await this.transactions.current().update(DatasetEntity, { id, progress: LessThan(progress) }, { progress });
  }

  async touch(id: string): Promise<void> {
    await this.transactions.current().update(DatasetEntity, { id }, { touchedAt: new Date() });
  }

  async delete(id: string): Promise<void> {
    await this.transactions.current().delete(DatasetEntity, { id });
  }

  isUntouchedSince(id: string, time: Date): Promise<boolean> {
    return this.transactions.current().existsBy(DatasetEntity, { id, touchedAt: LessThan(time) });
  }

  async listStaleDrafts(before: Date): Promise<string[]> {
    const rows = await this.transactions
      .current()
      .find(DatasetEntity, { select: { id: true }, where: { statusNew: 'DRAFT', touchedAt: LessThan(before) } });
    return rows.map(({ id }) => id);
  }

  private withGrants(userId: string) {
    return this.transactions
      .current()
      .createQueryBuilder(DatasetEntity, 'dataset')
      .leftJoin(DatasetMemberEntity, 'member', 'member.datasetId = dataset.id AND member.userId = :userId', { userId })
      .addSelect('member.role', 'granted');
  }

  private async withPointers(rows: readonly DatasetEntity[]): Promise<Dataset[]> {
    const ids = [...new Set(rows.map((row) => row.generationId).filter((id) => id !== null))];
    const generations =
      ids.length === 0 ? [] : await this.transactions.current().findBy(GenerationEntity, { id: In(ids) });
    const byId = new Map(generations.map((generation) => [generation.id, generation]));
    return rows.map((row) => toDataset(row, row.generationId === null ? undefined : byId.get(row.generationId)));
  }
}
