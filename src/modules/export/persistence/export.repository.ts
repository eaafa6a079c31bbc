import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, Not, IsNull, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Export, RunningExport } from '../domain/export';
import { RELEASED_VERSION, VersionColumns, versionColumns, type NamedTag } from '../../datasets';
import type { ExportFormat } from '../archive/formats';

/** The version is kept until the export ends. */
@Entity('export_task')
export class ExportTaskEntity extends VersionColumns {
  @PrimaryColumn('uuid')
  taskId!: string;

  @Index()
  @Column('uuid')
  datasetId!: string;

  @Column('text')
  fileName!: string;

  @Column('text')
  format!: ExportFormat;

  @Column('boolean')
  includeImages!: boolean;

  /** The model of the vectors in the metadata; null without vectors. */
  @Column('text', { nullable: true })
  embeddingModel!: string | null;

  /** Whose annotations it has; null if those of the table only. */
  @Column('text', { nullable: true })
  source!: string | null;

  @Column('integer')
  entitiesCount!: number;

  @Column('text')
  exportedBy!: string;

  @Column('text', { nullable: true })
  resultMessage!: string | null;

  @Column('text', { nullable: true })
  archiveKey!: string | null;

  @Index()
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('integer')
  tableVersion!: number;

  @Column('uuid')
  clusteringId!: string;

  @Column('jsonb')
  tags!: NamedTag[];

  @Column('bytea', { nullable: true })
  selection!: Buffer | null;
}

export interface FinishedArchive {
  readonly archiveKey: string;
  readonly expiresAt: Date;
  readonly resultMessage: string | null;
}

/** Releases the version. */
const RELEASED = { ...RELEASED_VERSION, tags: [], selection: null };

const toExport = (row: ExportTaskEntity): Export => ({
  taskId: row.taskId,
  datasetId: row.datasetId,
  fileName: row.fileName,
  format: row.format,
  includeImages: row.includeImages,
  embeddingModel: row.embeddingModel,
  source: row.source,
  entitiesCount: row.entitiesCount,
  exportedBy: row.exportedBy,
  resultMessage: row.resultMessage,
  archiveKey: row.archiveKey,
  expiresAt: row.expiresAt,
});

@Injectable()
export class ExportRepository {
  constructor(@InjectRepository(ExportTaskEntity) private readonly exports: Repository<ExportTaskEntity>) {}

  async insert({ version, selection, ...made }: RunningExport): Promise<void> {
    await this.exports.insert({
      ...made,
      ...versionColumns(version),
      clusteringId: version.clusteringId,
      tags: [...version.tags],
      selection: selection === null ? null : Buffer.from(selection),
    });
  }

  async find(datasetId: string, taskId: string): Promise<Export | undefined> {
    const row = await this.exports.findOneBy({ datasetId, taskId });
    return row === null ? undefined : toExport(row);
  }

  /** Undefined if it has ended. */
  async findRunning(taskId: string): Promise<RunningExport | undefined> {
    const row = await this.exports.findOneBy({ taskId });
    if (row === null || row.generationId === null) return undefined;
    const { tableVersion, clusteringId, tagsFile, annotationState, tags, selection } = row;
    const version = {
      generation: row.generationId,
      version: tableVersion,
      clusteringId,
      tagsFile,
      annotationState,
      tags,
    };
    return { ...toExport(row), version, selection };
  }

  async complete(taskId: string, archive: FinishedArchive): Promise<void> {
    await this.exports.update({ taskId }, { ...archive, ...RELEASED });
  }

  async fail(taskId: string, resultMessage: string): Promise<void> {
    await this.exports.update({ taskId }, { resultMessage, ...RELEASED });
  }

  /** Expires archives, which can then no longer be downloaded. */
  async expire(now: Date): Promise<void> {
    await this.exports.update({ expiresAt: LessThan(now), archiveKey: Not(IsNull()) }, { archiveKey: null });
  }

  /** The exports of a dataset whose archives are in the store. */
  async withArchive(datasetId: string): Promise<string[]> {
    const rows = await this.exports.find({ select: { taskId: true }, where: { datasetId, archiveKey: Not(IsNull()) } });
    return rows.map(({ taskId }) => taskId);
  }

  /** Which of the exports are running, and the archives of the others. */
  async keptOf(
    taskIds: readonly string[],
  ): Promise<{ known: Set<string>; running: Set<string>; archives: Set<string> }> {
    const rows = await this.exports.find({
      select: { taskId: true, generationId: true, archiveKey: true },
      where: { taskId: In([...taskIds]) },
    });
    return {
      known: new Set(rows.map((row) => row.taskId)),
      running: new Set(rows.filter((row) => row.generationId !== null).map((row) => row.taskId)),
      archives: new Set(rows.flatMap((row) => row.archiveKey ?? [])),
    };
  }
}
