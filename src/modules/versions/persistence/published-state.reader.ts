import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DatasetNotFoundError, pointerAsJson, type DatasetPointer, type DatasetStatus } from '../../datasets';
import { Settings } from '../../settings';
import { assertSnapshotsEnabled, SnapshotNotFoundError } from '../../snapshots/records';
import { TagEntity } from '../tags/persistence/tag.repository';

/** A published state of a dataset: the current one, or that of a snapshot. */
export interface PublishedState {
  readonly datasetId: string;
  /** Null until the first table is published. */
  readonly pointer: DatasetPointer | null;
  readonly status: DatasetStatus;
  /** By id, ordered by name. */
  readonly tagNames: ReadonlyMap<string, string>;
}

interface Row {
  readonly status: DatasetStatus;
  readonly pointer: DatasetPointer | null;
  readonly tags: readonly { readonly id: string; readonly name: string }[] | null;
}

interface SnapshotRow extends Row {
  readonly snapshotsSupported: boolean;
}

const CURRENT = `
  SELECT dataset.status_new AS status, ${pointerAsJson('dataset')} AS pointer,
    (SELECT json_agg(json_build_object('id', tag.id, 'name', tag.name) ORDER BY tag.name_key, tag.id)
     FROM tag WHERE tag.dataset_id = dataset.id) AS tags
  FROM dataset LEFT JOIN generation ON generation.id = dataset.generation_id
  WHERE dataset.id = $1`;

const OF_SNAPSHOT = `
  SELECT dataset.snapshots_supported AS "snapshotsSupported", 'READY' AS status,
    ${pointerAsJson('snapshot')} AS pointer, snapshot.tags AS tags
  FROM dataset
  LEFT JOIN snapshot ON snapshot.dataset_id = dataset.id AND snapshot.id = $2 AND snapshot.deleted_at IS NULL
  LEFT JOIN generation ON generation.id = snapshot.generation_id
  WHERE dataset.id = $1`;

/**
 * Reads a published state in one statement: a restoration changes pointer and tags in one transaction, so those of two statements
 * may not belong together.
 */
@Injectable()
export class PublishedStateReader {
  constructor(
    @InjectRepository(TagEntity) private readonly tags: Repository<TagEntity>,
    private readonly settings: Settings,
  ) {}

  /** Throws DatasetNotFoundError and SnapshotNotFoundError. */
  async get(datasetId: string, snapshotId?: string): Promise<PublishedState> {
    const row = snapshotId === undefined ? await this.current(datasetId) : await this.ofSnapshot(datasetId, snapshotId);
    const { pointer, status, tags } = row;
    return { datasetId, pointer, status, tagNames: new Map((tags ?? []).map(({ id, name }) => [id, name])) };
  }

  private async current(datasetId: string): Promise<Row> {
    const [row] = await this.tags.query<Row[]>(CURRENT, [datasetId]);
    if (row === undefined) throw new DatasetNotFoundError();
    return row;
  }

  /** A snapshot is immutable and was made of a READY dataset, so it can be searched whatever the dataset's status. */
  private async ofSnapshot(datasetId: string, snapshotId: string): Promise<Row> {
    const [row] = await this.tags.query<SnapshotRow[]>(OF_SNAPSHOT, [datasetId, snapshotId]);
    if (row === undefined) throw new DatasetNotFoundError();
    assertSnapshotsEnabled(this.settings.isOn('DATASET_SNAPSHOTS_ENABLED'), row);
    if (row.pointer === null) throw new SnapshotNotFoundError();
    return row;
  }
}
