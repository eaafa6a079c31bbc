import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import type { JobContext } from '../../../common/platform/jobs/job-handler';
import { UploadRepository } from '../persistence/upload.repository';
import type { OperationPayload } from '../../tasks';
import type { IndexingRun } from './indexing-run';

/** What holds for the work of every task that writes media. */
@Injectable()
export class TaskRunner {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly uploads: UploadRepository,
  ) {}

  async run(payload: OperationPayload, context: JobContext, work: (run: IndexingRun) => Promise<void>): Promise<void> {
    // A sweep that did not see this task yet is through with it then; the next sees that a task runs, and waits.
    await this.transactions.run(() => this.uploads.holdOffSweep());
    await work({ ...payload, batchId: payload.taskId, context });
  }
}
