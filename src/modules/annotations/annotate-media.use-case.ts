import { Inject, Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import type { ReceivedFile as StoredFile } from '../../common/platform/http/multipart';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../common/platform/storage/storage.module';
import { AuditLog } from '../audit';
import { DatasetReader, DatasetStatusError, type Dataset, type DatasetStatus } from '../datasets';
import type { AnnotationFileName } from '../tables';
import { DatasetOperations, TaskLedger } from '../tasks';
import { GROUND_TRUTH, isSourceOfTable, SourceAnnotations } from '../versions';
import type { AnnotationMode, SentAnnotation } from './domain/annotation';
import type { ReceivedValues } from './domain/metadata-import';
import { assertEditable, ObjectsOfTableError, SourceNotFoundError } from './domain/source-errors';
import {
  ANNOTATING,
  annotationFileKey,
  annotationsKey,
  IMPORTING_METADATA,
  type AnnotationParameters,
} from './jobs/given-annotations';
import { givenFileKey, IMPORTING_ANNOTATIONS, type SourceImport } from './jobs/source-import';
import { MetadataImportRepository } from './persistence/metadata-import.repository';

const ANNOTATABLE: readonly DatasetStatus[] = ['READY'];

const MAX_RECORDED = 500;

/** A file that is in the store under a temporary key. */
export type ReceivedFile = Pick<StoredFile, 'clientName' | 'key' | 'size'>;
export type ReceivedAnnotationFile = ReceivedFile & { readonly clientName: AnnotationFileName };

/** Starts the job that gives labels, captions and objects to media that are there. */
@Injectable()
export class AnnotateMediaUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly audit: AuditLog,
    private readonly imports: MetadataImportRepository,
    private readonly annotations: SourceAnnotations,
  ) {}

  /** Call it before files are received. */
  async assertPossible(datasetId: string): Promise<void> {
    await this.tasks.assertNotBlocked('annotate', datasetId);
    assertAnnotatable(await this.datasets.get(datasetId));
  }

  /** Call it before files are received that may be for a source. */
  async assertImportPossible(datasetId: string): Promise<void> {
    await this.tasks.assertNotBlocked('import_annotations', datasetId);
    assertEditable(await this.datasets.get(datasetId));
  }

  /** Returns the id of the task. */
  start(
    datasetId: string,
    mode: AnnotationMode,
    annotations: readonly SentAnnotation[],
    caller: Principal,
  ): Promise<string> {
    return this.begin(datasetId, { mode }, caller, { items: annotations.length }, async (taskId) => {
      await this.store.put(annotationsKey(taskId), Buffer.from(JSON.stringify(annotations)));
    });
  }

  startWithFiles(
    datasetId: string,
    mode: AnnotationMode,
    files: readonly ReceivedAnnotationFile[],
    caller: Principal,
  ): Promise<string> {
    const parameters = { mode, files: files.map(({ clientName: name, size }) => ({ name, size })) };
    const names = files.map(({ clientName }) => clientName).join(', ');
    return this.begin(datasetId, parameters, caller, { files: names }, async (taskId) => {
      for (const { clientName: name, key } of files) await this.store.copy(key, annotationFileKey(taskId, name));
    });
  }

  startImportInto(
    datasetId: string,
    asked: Omit<SourceImport, 'files'>,
    files: readonly ReceivedFile[],
    caller: Principal,
  ): Promise<string> {
    const { source, mode } = asked;
    const names = files.map(({ clientName }) => clientName).join(', ');
    const parameters = { ...asked, files: files.map(({ clientName: name, size }) => ({ name, size })) };
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertNotBlocked('import_annotations', datasetId);
      assertEditable(dataset);
      const { id: task } = await this.operations.start(IMPORTING_ANNOTATIONS, dataset, caller.email, parameters);
      // The job begins when this transaction ends; if it fails, a sweep removes the copies.
      for (const [at, { key }] of files.entries()) await this.store.copy(key, givenFileKey(task, at));
      const details = { name: dataset.displayName, task, mode, source, files: names.slice(0, MAX_RECORDED) };
      await this.audit.recordBy(caller, 'media_annotated', datasetId, details);
      return task;
    });
  }

  /** Makes objects of what a source marks. */
  async startObjectsOf(datasetId: string, source: string, caller: Principal): Promise<string> {
    const { pointer } = await this.datasets.get(datasetId);
    if (pointer !== null) {
      if (!(await this.annotations.has(pointer, source))) throw new SourceNotFoundError();
      if (source !== GROUND_TRUTH && isSourceOfTable(pointer, source)) throw new ObjectsOfTableError(source);
    }
    return this.begin(datasetId, { mode: 'add', objectsOf: source }, caller, { objects: source }, () =>
      Promise.resolve(),
    );
  }

  startFromFolders(datasetId: string, mode: AnnotationMode, caller: Principal): Promise<string> {
    return this.begin(datasetId, { mode, folders: true }, caller, { from: 'folders' }, () => Promise.resolve());
  }

  /** Values of one field, and the rows that were refused. */
  startImport(
    datasetId: string,
    importId: string,
    { good, errors, errorCount }: ReceivedValues,
    caller: Principal,
  ): Promise<string> {
    const recorded = { items: good.length + errorCount };
    return this.begin(datasetId, { mode: 'add', importId }, caller, recorded, async (taskId) => {
      await this.store.put(annotationsKey(taskId), Buffer.from(JSON.stringify(good)));
      await this.imports.update(importId, { taskId, insertedRows: 0, errorCount, sampleErrors: errors });
    });
  }

  private begin(
    datasetId: string,
    parameters: AnnotationParameters,
    caller: Principal,
    recorded: Readonly<Record<string, string | number>>,
    storeFor: (taskId: string) => Promise<void>,
  ): Promise<string> {
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertNotBlocked('annotate', datasetId);
      assertAnnotatable(dataset);
      const { pointer } = dataset;
      const base = pointer === null ? {} : { base: { generation: pointer.generation, version: pointer.version } };
      const started = await this.operations.start(
        parameters.importId === undefined ? ANNOTATING : IMPORTING_METADATA,
        dataset,
        caller.email,
        { ...parameters, ...base },
      );
      // The job begins when this transaction ends; if it fails, a sweep removes the stored request.
      await storeFor(started.id);
      const { displayName: name } = dataset;
      const details = { name, task: started.id, mode: parameters.mode, ...recorded };
      await this.audit.recordBy(caller, 'media_annotated', datasetId, details);
      return started.id;
    });
  }
}

export function assertAnnotatable({ status }: Dataset): void {
  if (!ANNOTATABLE.includes(status)) throw new DatasetStatusError('annotate', status, ANNOTATABLE);
}
