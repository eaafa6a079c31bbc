import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { DatasetReader, MAX_METADATA_FIELDS, MetadataFieldRepository, type MetadataField } from '../datasets';
import { TaskLedger, type Task } from '../tasks';
import { AnnotateMediaUseCase, assertAnnotatable } from './annotate-media.use-case';
import {
  FieldExistsError,
  MetadataTaskNotFoundError,
  TooManyFieldsError,
  ValuesSentError,
  importStatus,
  type ImportStatus,
  type MetadataImport,
} from './domain/metadata-import';
import { ReceivedValues } from './domain/metadata-import';
import { MetadataImportRepository } from './persistence/metadata-import.repository';

export interface ImportProgress extends MetadataImport {
  readonly status: ImportStatus;
  readonly progress: number;
}

/** Declares a field, and takes its values afterwards. */
@Injectable()
export class ImportMetadataUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly fields: MetadataFieldRepository,
    private readonly imports: MetadataImportRepository,
    private readonly tasks: TaskLedger,
    private readonly annotate: AnnotateMediaUseCase,
    private readonly audit: AuditLog,
  ) {}

  /** Returns the id under which its values are sent. */
  declare(datasetId: string, field: MetadataField, caller: Principal): Promise<string> {
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertNotBlocked('annotate', datasetId);
      assertAnnotatable(dataset);
      const known = await this.fields.list(datasetId);
      const existing = known.find(({ name }) => name === field.name);
      if (existing !== undefined) throw new FieldExistsError(existing);
      if (known.length >= MAX_METADATA_FIELDS) throw new TooManyFieldsError();
      await this.fields.add(datasetId, [field]);
      const id = randomUUID();
      const none = { taskId: null, insertedRows: 0, errorCount: 0, sampleErrors: [] };
      await this.imports.insert({ id, datasetId, fieldName: field.name, ...none });
      const details = { name: dataset.displayName, field: field.name, type: field.type };
      await this.audit.recordBy(caller, 'metadata_field_declared', datasetId, details);
      return id;
    });
  }

  /** In the order of their names. */
  fieldsOf(datasetId: string): Promise<readonly MetadataField[]> {
    return this.fields.list(datasetId);
  }

  /** Call it before values are received. */
  async assertPossible(datasetId: string, importId: string): Promise<void> {
    const { status } = await this.progress(datasetId, importId);
    await this.annotate.assertPossible(datasetId);
    if (status !== 'INIT' && status !== 'FAILED') throw new ValuesSentError();
  }

  async send(datasetId: string, importId: string, rows: readonly unknown[], caller: Principal): Promise<void> {
    const { fieldName } = await this.get(datasetId, importId);
    const field = (await this.fields.list(datasetId)).find(({ name }) => name === fieldName);
    if (field === undefined) throw new MetadataTaskNotFoundError();
    await this.annotate.startImport(datasetId, importId, new ReceivedValues(field, rows), caller);
  }

  async progress(datasetId: string, importId: string): Promise<ImportProgress> {
    const found = await this.get(datasetId, importId);
    const task = found.taskId === null ? undefined : await this.tasks.find(found.taskId);
    return { ...found, status: importStatus(task?.status, found.errorCount), progress: progressOf(task) };
  }

  private async get(datasetId: string, importId: string): Promise<MetadataImport> {
    const found = await this.imports.find(datasetId, importId);
    if (found === undefined) throw new MetadataTaskNotFoundError();
    return found;
  }
}

const progressOf = (task: Task | undefined): number => task?.progress ?? 0;
