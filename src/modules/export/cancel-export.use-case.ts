import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/database/transaction-runner';
import { JobQueue } from '../../common/jobs/job-queue';
import { TaskLedger } from '../tasks';
import { ExportNotFoundError, ExportOverError } from './domain/export-errors';
import { ExportRepository } from './persistence/export.repository';

/** Over at once; what the job has written is swept. */
@Injectable()
export class CancelExportUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly tasks: TaskLedger,
    private readonly exports: ExportRepository,
    private readonly jobs: JobQueue,
  ) {}

  cancel(datasetId: string, taskId: string): Promise<void> {
    return this.transactions.run(async () => {
      if ((await this.exports.find(datasetId, taskId)) === undefined) throw new ExportNotFoundError();
      const { jobId } = await this.tasks.lock(taskId);
      if (!(await this.tasks.abort(taskId))) throw new ExportOverError();
      await this.exports.fail(taskId, 'Cancelled');
      if (jobId !== null) await this.jobs.cancel(jobId);
    });
  }
}
