import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { DatasetReader, type Dataset } from '../datasets';
import { DatasetOperations, TaskLedger } from '../tasks';
import { VersionOpener } from '../versions';
import { ComparedSources } from './compared-sources';
import {
  assertEvaluable,
  EvaluationNotFoundError,
  EvaluationRunningError,
  MAX_EVALUATIONS,
  TooManyEvaluationsError,
  type AskedEvaluation,
  type Evaluation,
} from './domain/evaluation';
import { EVALUATING } from './jobs/evaluation.job';
import { EvaluationRepository } from './persistence/evaluation.repository';

export interface StartedEvaluation {
  readonly evaluationId: string;
  readonly taskId: string;
}

/** Starts the task that compares two sources, after what can be known at once was checked. */
@Injectable()
export class StartEvaluationUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly versions: VersionOpener,
    private readonly compared: ComparedSources,
    private readonly operations: DatasetOperations,
    private readonly tasks: TaskLedger,
    private readonly evaluations: EvaluationRepository,
    private readonly audit: AuditLog,
  ) {}

  async create(datasetId: string, asked: AskedEvaluation, caller: Principal): Promise<StartedEvaluation> {
    await this.assertPossible(datasetId, asked);
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      if ((await this.evaluations.count(datasetId)) >= MAX_EVALUATIONS) throw new TooManyEvaluationsError();
      const id = randomUUID();
      const taskId = await this.startTask(dataset, id, caller);
      const { email: createdBy } = caller;
      const made = { ...asked, id, datasetId, taskId, createdBy, createdAt: new Date() };
      await this.evaluations.insert(made);
      await this.record(dataset, 'evaluation_created', made, taskId, caller);
      return { evaluationId: id, taskId };
    });
  }

  async runAgain(datasetId: string, id: string, caller: Principal): Promise<StartedEvaluation> {
    await this.assertPossible(datasetId, await this.found(datasetId, id));
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      const evaluation = await this.found(datasetId, id);
      if (await this.isRunning(evaluation.taskId)) throw new EvaluationRunningError();
      const taskId = await this.startTask(dataset, id, caller);
      await this.evaluations.setTask(id, taskId);
      await this.record(dataset, 'evaluation_run', evaluation, taskId, caller);
      return { evaluationId: id, taskId };
    });
  }

  private async found(datasetId: string, id: string): Promise<Evaluation> {
    const evaluation = await this.evaluations.find(datasetId, id);
    if (evaluation === undefined) throw new EvaluationNotFoundError();
    return evaluation;
  }

  private async assertPossible(datasetId: string, asked: AskedEvaluation): Promise<void> {
    using version = await this.versions.open(assertEvaluable(await this.datasets.get(datasetId)));
    await this.compared.open(datasetId, version, asked);
  }

  private async isRunning(taskId: string | null): Promise<boolean> {
    const task = taskId === null ? undefined : await this.tasks.find(taskId);
    return task?.endTime === null;
  }

  private async startTask(dataset: Dataset, evaluationId: string, { email }: Principal): Promise<string> {
    return (await this.operations.start(EVALUATING, dataset, email, { evaluationId })).id;
  }

  private record(
    { id, displayName: name }: Dataset,
    action: 'evaluation_created' | 'evaluation_run',
    { name: evaluation, truth, predictions }: AskedEvaluation,
    task: string,
    caller: Principal,
  ): Promise<void> {
    return this.audit.recordBy(caller, action, id, { name, evaluation, truth, predictions, task });
  }
}
