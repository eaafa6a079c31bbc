import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/database/transaction-runner';
import { JobQueue } from '../../common/jobs/job-queue';
import type { Principal } from '../../common/http/principal';
import { DatasetReader, grants } from '../datasets';
import { TaskLedger } from '../tasks';
import { ExportNotFoundError, ExportOverError, ForeignExportError } from './domain/export-errors';
import { ExportRepository } from './persistence/export.repository';

/** Over at once; what the job has written is swept. */
@Injectable()
export class CancelExportUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly tasks: TaskLedger,
    private readonly exports: ExportRepository,
    private readonly jobs: JobQueue,
    private readonly datasets: DatasetReader,
  ) {}

  cancel(datasetId: string, taskId: string, caller: Principal): Promise<void> {
    return this.transactions.run(async () => {
      if ((await this.exports.find(datasetId, taskId)) === undefined) throw new ExportNotFoundError();
      const { jobId, createdBy } = await this.tasks.lock(taskId);
      if (createdBy !== caller.email && !(await this.mayChange(datasetId, caller))) throw new ForeignExportError();
      if (!(await this.tasks.abort(taskId))) throw new ExportOverError();
      await this.exports.fail(taskId, 'Cancelled');
      if (jobId !== null) await this.jobs.cancel(jobId);
    });
  }

  private async mayChange(datasetId: string, caller: Principal): Promise<boolean> {
    const role = await this.datasets.roleOn(caller, datasetId);
    return role !== undefined && grants(role, 'write');
  }
}
