import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { DatasetReader } from '../datasets';
import { DatasetOperations, TaskLedger, type Task } from '../tasks';
import { EvaluationNotFoundError, type Evaluation } from './domain/evaluation';
import { EvaluationChanges } from './evaluation-changes';
import { EVALUATING } from './jobs/evaluation.job';
import { EvaluationRepository, type EvaluationChange } from './persistence/evaluation.repository';

@Injectable()
export class ChangeEvaluationUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly operations: DatasetOperations,
    private readonly tasks: TaskLedger,
    private readonly evaluations: EvaluationRepository,
    private readonly changes: EvaluationChanges,
    private readonly audit: AuditLog,
  ) {}

  change(datasetId: string, id: string, change: EvaluationChange, caller: Principal): Promise<void> {
    return this.transactions.run(async () => {
      const { name } = await this.found(datasetId, id);
      await this.evaluations.change(id, change);
      await this.audit.recordBy(caller, 'evaluation_changed', datasetId, {
        name,
        ...(change.name !== undefined && { new_name: change.name }),
        ...(change.keepUpToDate !== undefined && { keep_up_to_date: change.keepUpToDate }),
      });
    });
  }

  /** Ends its task, too. A sweep removes its file of outcomes. */
  delete(datasetId: string, id: string, caller: Principal): Promise<void> {
    return this.transactions.run(async () => {
      // A job that completes the evaluation locks the dataset, too.
      await this.datasets.lock(datasetId);
      const { name, taskId } = await this.found(datasetId, id);
      if (taskId !== null) await this.end(await this.tasks.lock(taskId));
      await this.evaluations.delete(id);
      await this.changes.notify({ datasetId, evaluationId: id });
      await this.audit.recordBy(caller, 'evaluation_deleted', datasetId, { name });
    });
  }

  /** An import that it waits for goes on. */
  private async end(task: Task): Promise<void> {
    if (task.type === EVALUATING.task) await this.operations.abort(task);
  }

  private async found(datasetId: string, id: string): Promise<Evaluation> {
    const evaluation = await this.evaluations.find(datasetId, id);
    if (evaluation === undefined) throw new EvaluationNotFoundError();
    return evaluation;
  }
}
