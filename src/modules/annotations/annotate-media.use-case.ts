import { Inject, Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../common/platform/storage/storage.module';
import { AuditLog } from '../audit';
import { DatasetReader, DatasetStatusError, type DatasetStatus } from '../datasets';
import { DatasetOperations, TaskLedger } from '../tasks';
import type { Annotation, AnnotationMode } from './domain/annotation';
import { ANNOTATING, annotationsKey } from './jobs/annotate-media.job';

const ANNOTATABLE: readonly DatasetStatus[] = ['READY'];

/** Starts the job that gives labels and captions to media that are there. */
@Injectable()
export class AnnotateMediaUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly audit: AuditLog,
  ) {}

  /** Returns the id of the task. */
  async start(
    datasetId: string,
    mode: AnnotationMode,
    annotations: readonly Annotation[],
    caller: Principal,
  ): Promise<string> {
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.tasks.assertNotBlocked('annotate', datasetId);
      if (!ANNOTATABLE.includes(dataset.status)) throw new DatasetStatusError('annotate', dataset.status, ANNOTATABLE);
      const { pointer } = dataset;
      const base = pointer === null ? {} : { base: { generation: pointer.generation, version: pointer.version } };
      const { id: taskId } = await this.operations.start(ANNOTATING, dataset, caller.email, { mode, ...base });
      // The job begins when this transaction ends; a sweep removes the file if it fails.
      await this.store.put(annotationsKey(taskId), Buffer.from(JSON.stringify(annotations)));
      await this.audit.recordBy(caller, 'media_annotated', datasetId, {
        name: dataset.displayName,
        task: taskId,
        mode,
        items: annotations.length,
      });
      return taskId;
    });
  }
}
