import { Inject, Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../common/platform/storage/storage.module';
import { TaskLedger, type Task } from '../tasks';
import { type Export, ExportNotFoundError, type RunningExport } from './domain/export';
import { ExportRepository } from './persistence/export.repository';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { DatasetReader, MetadataFieldRepository } from '../datasets';
import type { ExportInfo } from './archive/archive-format';

export interface ExportWithTask {
  readonly made: Export;
  readonly task: Task;
  readonly downloadUri: string | null;
}

/** Progress and download URL of an export. */
@Injectable()
export class ExportReader {
  constructor(
    private readonly transactions: TransactionRunner,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly tasks: TaskLedger,
    private readonly exports: ExportRepository,
  ) {}

  async get(datasetId: string, taskId: string): Promise<ExportWithTask> {
    const { task, made } = await this.transactions.run(async () => ({
      // Read the task first: once it is complete, the archive is recorded.
      task: await this.tasks.find(taskId),
      made: await this.exports.find(datasetId, taskId),
    }));
    if (made === undefined || task === undefined) throw new ExportNotFoundError();
    return { made, task, downloadUri: await this.downloadUri(made) };
  }

  private async downloadUri({ archiveKey, expiresAt, fileName }: Export): Promise<string | null> {
    const left = Math.floor(((expiresAt?.getTime() ?? 0) - Date.now()) / 1000);
    if (archiveKey === null || left <= 0) return null;
    return this.store.signedUrl(archiveKey, {
      expiresInSeconds: left,
      contentType: 'application/zip',
      downloadName: fileName,
    });
  }
}

/** What an archive says of its dataset. */
@Injectable()
export class ExportInfoReader {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Pick<Configuration, 'baseUrl'>,
    private readonly datasets: DatasetReader,
    private readonly fields: MetadataFieldRepository,
  ) {}

  async of({ datasetId, exportedBy, entitiesCount, embeddingModel, source }: RunningExport): Promise<ExportInfo> {
    const { displayName, createdAt, pointer } = await this.datasets.get(datasetId);
    return {
      datasetId,
      datasetName: displayName,
      datasetCreatedAt: createdAt,
      exportedAt: new Date(),
      exportedBy,
      baseUrl: this.configuration.baseUrl,
      items: entitiesCount,
      embeddingModel,
      source,
      enrichments: pointer?.enrichments ?? {},
      fields: await this.fields.list(datasetId),
    };
  }
}
