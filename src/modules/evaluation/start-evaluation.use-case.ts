import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AnnotateMediaUseCase, type ReceivedFile } from '../annotations';
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

type AskedImport = Parameters<AnnotateMediaUseCase['startImportInto']>[1];

export interface ImportedPredictions extends AskedImport {
  readonly files: readonly ReceivedFile[];
}

/** Starts the task that compares two sources, after what can be known at once was checked. */
@Injectable()
export class StartEvaluationUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly versions: VersionOpener,
    private readonly compared: ComparedSources,
    private readonly imports: AnnotateMediaUseCase,
    private readonly operations: DatasetOperations,
    private readonly tasks: TaskLedger,
    private readonly evaluations: EvaluationRepository,
    private readonly audit: AuditLog,
  ) {}

  async create(datasetId: string, asked: AskedEvaluation, caller: Principal): Promise<StartedEvaluation> {
    await this.assertPossible(datasetId, asked);
    return this.insert(datasetId, asked, caller, (dataset, id) => this.startTask(dataset, id, caller.email));
  }

  /** Imports what is compared; its own task begins when that one is completed. */
  async importAndCreate(
    datasetId: string,
    asked: AskedEvaluation,
    { files, ...source }: ImportedPredictions,
    caller: Principal,
  ): Promise<StartedEvaluation> {
    using version = await this.versions.open(assertEvaluable(await this.datasets.get(datasetId)));
    await this.compared.openTruth(datasetId, version, asked);
    return await this.insert(datasetId, asked, caller, () =>
      this.imports.startImportInto(datasetId, source, files, caller),
    );
  }

  /** In the transaction that completes the import. */
  async afterImport(datasetId: string, importTask: string): Promise<void> {
    for (const { id, createdBy } of await this.evaluations.listOfTask(importTask)) {
      const dataset = await this.datasets.lock(datasetId);
      await this.evaluations.setTask(id, await this.startTask(dataset, id, createdBy));
    }
  }

  async runAgain(datasetId: string, id: string, caller: Principal): Promise<StartedEvaluation> {
    await this.assertPossible(datasetId, await this.found(datasetId, id));
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      const evaluation = await this.found(datasetId, id);
      if (await this.isRunning(evaluation.taskId)) throw new EvaluationRunningError();
      const taskId = await this.startTask(dataset, id, caller.email);
      await this.evaluations.setTask(id, taskId);
      await this.record(dataset, 'evaluation_run', evaluation, taskId, caller);
      return { evaluationId: id, taskId };
    });
  }

  /** Does nothing if the evaluation runs, or was deleted. */
  keepUpToDate(datasetId: string, id: string): Promise<void> {
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      const evaluation = await this.evaluations.find(datasetId, id);
      if (evaluation === undefined || (await this.isRunning(evaluation.taskId))) return;
      await this.evaluations.setTask(id, await this.startTask(dataset, id, evaluation.createdBy));
      await this.evaluations.setChecked([id], assertEvaluable(dataset));
    });
  }

  private insert(
    datasetId: string,
    asked: AskedEvaluation,
    caller: Principal,
    start: (dataset: Dataset, id: string) => Promise<string>,
  ): Promise<StartedEvaluation> {
    return this.transactions.run(async () => {
      const dataset = await this.datasets.lock(datasetId);
      if ((await this.evaluations.count(datasetId)) >= MAX_EVALUATIONS) throw new TooManyEvaluationsError();
      const id = randomUUID();
      const taskId = await start(dataset, id);
      const { email: createdBy } = caller;
      await this.evaluations.insert({ ...asked, id, datasetId, taskId, createdBy, createdAt: new Date() });
      await this.record(dataset, 'evaluation_created', asked, taskId, caller);
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

  private async startTask(dataset: Dataset, evaluationId: string, createdBy: string): Promise<string> {
    return (await this.operations.start(EVALUATING, dataset, createdBy, { evaluationId })).id;
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
