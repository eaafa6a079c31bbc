import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { DatasetOperations, toError, type OperationPayload, type OperationType } from '../../tasks';
import { cloning, type Cloning } from '../domain/snapshot';
import { ReturnToSnapshotStep } from './restore-snapshot.job';

export const CLONE_SNAPSHOT = defineJob<OperationPayload>('clone-snapshot', { concurrency: 4 });

export const CLONING: OperationType<Cloning> = {
  task: 'SNAPSHOT_CLONE',
  job: CLONE_SNAPSHOT,
  parameters: cloning,
  begun: 'indexing-started',
  failed: toError,
};

/** The new dataset already has a copied snapshot; the job publishes it. */
@JobHandler(CLONE_SNAPSHOT)
@Injectable()
export class CloneSnapshotJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly operations: DatasetOperations,
    private readonly returnToSnapshot: ReturnToSnapshotStep,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.returnToSnapshot.run(CLONING, { ...payload, context }, 'indexing-completed');
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.operations.reportWaiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.operations.fail(CLONING, payload, error, attempt);
  }
}
