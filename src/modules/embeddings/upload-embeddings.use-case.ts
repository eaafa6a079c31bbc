import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import type { ObjectStore } from '../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../common/platform/storage/storage.module';
import { AuditLog } from '../audit';
import { DatasetReader, DatasetStatusError, type Dataset, type DatasetStatus } from '../datasets';
import { workPrefix } from '../tables';
import { DatasetOperations, TaskLedger } from '../tasks';
import type { EmbeddingUpload } from './domain/embedding-upload';
import { EMBEDDING_UPLOAD } from './jobs/replace-embeddings.job';
import { ReceivedVectors } from './received-vectors';

const ACCEPT_EMBEDDINGS: readonly DatasetStatus[] = ['READY'];

/** Starts the job that replaces the vectors of a dataset by uploaded ones. */
@Injectable()
export class UploadEmbeddingsUseCase {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly audit: AuditLog,
  ) {}

  /** Preliminary check before the body is read, without locks: the upload may still be refused later. */
  async assertPossible(datasetId: string): Promise<void> {
    await this.assertAccepting(await this.datasets.get(datasetId));
  }

  /** The files are received where the task looks for them; a sweep removes those of a task that never began. */
  open(): ReceivedVectors {
    const taskId = randomUUID();
    return new ReceivedVectors(this.store, {
      taskId,
      below: workPrefix(taskId),
      maxBytes: this.configuration.maxUploadBytes,
    });
  }

  /** Returns the id of the task. */
  async start(datasetId: string, taskId: string, upload: EmbeddingUpload, caller: Principal): Promise<string> {
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      await this.assertAccepting(dataset);
      await this.operations.start(EMBEDDING_UPLOAD, dataset, caller.email, upload, { taskId });
      await this.audit.recordBy(caller, 'embeddings_uploaded', datasetId, {
        name: dataset.displayName,
        task: taskId,
        embeddings: upload.id,
      });
      return taskId;
    });
  }

  private async assertAccepting({ id, status }: Dataset): Promise<void> {
    await this.tasks.assertNotBlocked('upload_embeddings', id);
    if (!ACCEPT_EMBEDDINGS.includes(status))
      throw new DatasetStatusError('upload_embeddings', status, ACCEPT_EMBEDDINGS);
  }
}
