import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import type { Dataset, DatasetCounts, DatasetPointer } from '../domain/dataset';
import { nextStatus, TRANSITIONS, type DatasetEvent } from '../domain/dataset-status';
import { DatasetEntity } from './dataset.entity';
import { GenerationEntity } from './generation.entity';
import { countColumns, versionColumns } from './version.columns';

export interface PublishedTable {
  readonly generation: string;
  readonly version: number;
  readonly rows: number;
  readonly bytes: number;
  readonly counts: DatasetCounts;
  readonly thumbnailKey: string | null;
  /** The tag assignments for these rows; unchanged when absent. */
  readonly tagsFile?: string | null;
  /** What sources say about the media; unchanged when absent. */
  readonly annotationState?: string;
}

/** The state stored in a snapshot. */
export interface RestoredState {
  readonly id: string;
  readonly pointer: DatasetPointer;
  readonly counts: DatasetCounts;
  readonly thumbnailKey: string | null;
}

interface Changes {
  readonly progress?: number;
  readonly fatalErrorMessage?: string | null;
}

/** Changes a dataset's status and published state. The dataset must be locked. */
@Injectable()
export class DatasetStates {
  constructor(
    @InjectRepository(DatasetEntity) private readonly datasets: Repository<DatasetEntity>,
    @InjectRepository(GenerationEntity) private readonly generations: Repository<GenerationEntity>,
  ) {}

  async change(
    { id, status }: Dataset,
    event: DatasetEvent,
    { progress, fatalErrorMessage }: Changes = {},
  ): Promise<void> {
    await this.update(id, {
      statusNew: nextStatus(status, event),
      touchedAt: new Date(),
      ...(progress === undefined ? {} : { progress }),
      ...(fatalErrorMessage === undefined ? {} : { fatalErrorMsg: fatalErrorMessage }),
    });
  }

  /** Does nothing if the dataset already has the status. */
  async changeOnce(dataset: Dataset, event: DatasetEvent): Promise<void> {
    if (dataset.status !== TRANSITIONS[event].to) await this.change(dataset, event);
  }

  /** Publishes a table, or the state of a snapshot. */
  async show(
    id: string,
    what: { readonly table: PublishedTable } | { readonly snapshot: RestoredState },
  ): Promise<void> {
    await ('table' in what ? this.showTable(id, what.table) : this.showSnapshot(id, what.snapshot));
  }

  /** Progress never decreases. The dataset need not be locked. */
  async saveProgress(id: string, progress: number): Promise<void> {
    await this.datasets.update({ id, progress: LessThan(progress) }, { progress });
  }

  private async showTable(id: string, table: PublishedTable): Promise<void> {
    const { generation, version, rows, bytes, counts, thumbnailKey, tagsFile, annotationState } = table;
    await this.generations.update(
      { id: generation },
      { writerTaskId: null, tableRows: rows, tableBytes: String(bytes) },
    );
    await this.update(id, {
      generationId: generation,
      tableVersion: version,
      thumbnailKey,
      ...countColumns(counts),
      ...(tagsFile === undefined ? {} : { tagsFile }),
      ...(annotationState === undefined ? {} : { annotationState }),
    });
  }

  private async showSnapshot(
    id: string,
    { id: snapshotId, pointer, counts, thumbnailKey }: RestoredState,
  ): Promise<void> {
    await this.update(id, {
      ...versionColumns(pointer),
      thumbnailKey,
      ...countColumns(counts),
      currentSnapshotId: snapshotId,
    });
  }

  private async update(id: string, columns: Partial<DatasetEntity>): Promise<void> {
    await this.datasets.update({ id }, columns);
  }
}
