import { Injectable } from '@nestjs/common';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { DatasetOperations, toPreviousStatus, type OperationPayload, type OperationType } from '../../tasks';
import { restoration, type Restoration } from '../domain/restoration';
import { ReturnToSnapshotStep } from './return-to-snapshot.step';

export const RESTORE_SNAPSHOT = defineJob<OperationPayload>('restore-snapshot', { concurrency: 4 });

export const RESTORATION: OperationType<Restoration> = {
  task: 'SNAPSHOT_RESTORE',
  job: RESTORE_SNAPSHOT,
  parameters: restoration,
  begun: 'restore-started',
  failed: toPreviousStatus,
};

@JobHandler(RESTORE_SNAPSHOT)
@Injectable()
export class RestoreSnapshotJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly operations: DatasetOperations,
    private readonly returnToSnapshot: ReturnToSnapshotStep,
  ) {}

  run(payload: OperationPayload, context: JobContext): Promise<void> {
    return this.returnToSnapshot.run(RESTORATION, { ...payload, context }, 'restore-completed');
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.operations.reportWaiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.operations.fail(RESTORATION, payload, error, attempt);
  }
}
