import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { DatasetReader, grants } from '../datasets';
import { DatasetOperations, TaskLedger } from '../tasks';
import { ExportNotFoundError, ExportOverError, ForeignExportError } from './domain/export-errors';
import { ExportRepository } from './persistence/export.repository';

/** Takes effect immediately; leftovers of the job are swept. */
@Injectable()
export class CancelExportUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly tasks: TaskLedger,
    private readonly operations: DatasetOperations,
    private readonly exports: ExportRepository,
    private readonly datasets: DatasetReader,
  ) {}

  cancel(datasetId: string, taskId: string, caller: Principal): Promise<void> {
    return this.transactions.run(async () => {
      if ((await this.exports.find(datasetId, taskId)) === undefined) throw new ExportNotFoundError();
      const task = await this.tasks.lock(taskId);
      if (task.createdBy !== caller.email && !(await this.mayChange(datasetId, caller))) throw new ForeignExportError();
      if (!(await this.operations.abort(task))) throw new ExportOverError();
      await this.exports.fail(taskId, 'Cancelled');
    });
  }

  private async mayChange(datasetId: string, caller: Principal): Promise<boolean> {
    const role = await this.datasets.roleOn(caller, datasetId);
    return role !== undefined && grants(role, 'write');
  }
}
