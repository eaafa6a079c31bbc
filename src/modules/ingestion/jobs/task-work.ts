import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/config/configuration';
import { TransactionRunner } from '../../../common/database/transaction-runner';
import { PermanentJobError } from '../../../common/jobs/job-errors';
import type { JobContext } from '../../../common/jobs/job-handler';
import { fullStoreSentence } from '../domain/full-store';
import { UploadRepository } from '../persistence/upload.repository';
import type { GrowthPayload } from './growth-operation';
import type { IndexingRun } from './indexing-run';

/** What holds for the work of every task that writes media. */
@Injectable()
export class TaskWork {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly transactions: TransactionRunner,
    private readonly uploads: UploadRepository,
  ) {}

  async run(payload: GrowthPayload, context: JobContext, work: (run: IndexingRun) => Promise<void>): Promise<void> {
    // A sweep that did not see this task yet is through with it then; the next sees that a task runs, and waits.
    await this.transactions.run(() => this.uploads.holdOffSweep());
    try {
      await work({ ...payload, batchId: payload.taskId, context });
    } catch (error) {
      // A store that is full is no fault that trying again would mend: it ends the task, and its reason says so.
      const full = fullStoreSentence(error, this.configuration.storageUrl);
      throw full === undefined ? error : new PermanentJobError(full, { cause: error });
    }
  }
}
