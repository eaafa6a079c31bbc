import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { JobContext } from '../../../common/platform/jobs/job-handler';
import { UploadRepository } from '../persistence/upload.repository';
import type { OperationPayload } from '../../tasks';
import type { IndexingRun } from './indexing-run';

/** Common parts of all jobs that write media. */
@Injectable()
export class TaskRunner {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly uploads: UploadRepository,
  ) {}

  async run(payload: OperationPayload, context: JobContext, work: (run: IndexingRun) => Promise<void>): Promise<void> {
    // Waits for a sweep that has not seen this task; later sweeps see that a task is running, and stop.
    await this.transactions.run(() => this.uploads.lockAgainstSweeps());
    await work({ ...payload, batchId: payload.taskId, context });
  }
}
