import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { DatasetNotFoundError } from '../domain/dataset-status';
import type { Dataset, DatasetPointer } from '../domain/dataset';
import type { GrantedRole } from '../domain/dataset-role';
import { DatasetMemberEntity, DatasetEntity } from './dataset.entity';
import { GenerationEntity, pointerInto } from './generation.entity';
import { countsOf } from './version.columns';

const toPointer = (row: DatasetEntity, generation: GenerationEntity | undefined): DatasetPointer | null =>
  generation === undefined || row.tableVersion === null ? null : pointerInto(generation, row.tableVersion, row);

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
  counts: countsOf(row),
  fatalErrorMessage: row.fatalErrorMsg,
  sourceDatasetId: row.sourceDatasetId,
  thumbnailKey: row.thumbnailKey,
  pointer: toPointer(row, generation),
  snapshotsSupported: row.snapshotsSupported,
  labelsFromFolders: row.labelsFromFolders,
  currentSnapshotId: row.currentSnapshotId,
});

export interface DatasetAccess {
  readonly workspaceId: string;
  readonly ownerId: string;
  readonly granted: GrantedRole | undefined;
}

export interface SharedDataset {
  readonly dataset: Dataset;
  readonly granted: GrantedRole | undefined;
}

/** Reads and locks datasets. */
@Injectable()
export class DatasetRepository {
  constructor(
    @InjectRepository(DatasetEntity) private readonly datasets: Repository<DatasetEntity>,
    @InjectRepository(GenerationEntity) private readonly generations: Repository<GenerationEntity>,
  ) {}

  async get(id: string): Promise<Dataset> {
    const dataset = await this.find(id);
    if (dataset === undefined) throw new DatasetNotFoundError();
    return dataset;
  }

  async find(id: string): Promise<Dataset | undefined> {
    const row = await this.datasets.findOneBy({ id });
    return row === null ? undefined : (await this.withPointers([row]))[0];
  }

  /** All datasets of the workspace, or those that the user owns or has access to; with the granted role. */
  async listOfWorkspace(workspaceId: string, userId: string, all: boolean): Promise<SharedDataset[]> {
    const query = this.withGrants(userId).where({ workspaceId });
    if (!all) query.andWhere('(dataset.ownerId = :userId OR member.role IS NOT NULL)');
    const { entities, raw } = await query.getRawAndEntities<{ granted: GrantedRole | null }>();
    const datasets = await this.withPointers(entities);
    return datasets.map((dataset, index) => ({ dataset, granted: raw[index]!.granted ?? undefined }));
  }

  /** The owner, and the role granted to the user. */
  async findAccess(id: string, userId: string): Promise<DatasetAccess | undefined> {
    const query = this.withGrants(userId).where({ id });
    const row = await query
      .select('dataset.workspaceId', 'workspaceId')
      .addSelect('dataset.ownerId', 'ownerId')
      .addSelect('member.role', 'granted')
      .getRawOne<{ workspaceId: string; ownerId: string; granted: GrantedRole | null }>();
    return row && { ...row, granted: row.granted ?? undefined };
  }

  /** Locks the dataset until the transaction ends: starting and ending operations require the lock. */
  async lock(id: string): Promise<Dataset> {
    const row = await this.datasets.createQueryBuilder('dataset').where({ id }).setLock('pessimistic_write').getOne();
    if (row === null) throw new DatasetNotFoundError();
    return (await this.withPointers([row]))[0]!;
  }

  private withGrants(userId: string) {
    return this.datasets
      .createQueryBuilder('dataset')
      .leftJoin(DatasetMemberEntity, 'member', 'member.datasetId = dataset.id AND member.userId = :userId', { userId })
      .addSelect('member.role', 'granted');
  }

  private async withPointers(rows: readonly DatasetEntity[]): Promise<Dataset[]> {
    const ids = [...new Set(rows.map((row) => row.generationId).filter((id) => id !== null))];
    const generations = ids.length === 0 ? [] : await this.generations.findBy({ id: In(ids) });
    const byId = new Map(generations.map((generation) => [generation.id, generation]));
    return rows.map((row) => toDataset(row, row.generationId === null ? undefined : byId.get(row.generationId)));
  }
}
