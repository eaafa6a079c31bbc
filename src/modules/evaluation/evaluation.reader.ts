import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { LabelFigures } from '../../common/engine/evaluation/evaluation-result';
import { DatasetReader, type DatasetPointer } from '../datasets';
import { TaskLedger, type Task } from '../tasks';
import { EvaluatedStates } from './evaluated-states';
import type { Changeable } from './domain/evaluated-state';
import { EvaluationNotFoundError, resultOf, type Evaluation, type EvaluationStatus } from './domain/evaluation';
import { intervalsOf, intervalsOfDifferences, type FigureIntervals } from './domain/figure-intervals';
import type { EvaluatedSlices } from './domain/slice';
import { EvaluationRepository, type ListedEvaluations } from './persistence/evaluation.repository';

/** With its last run, and what has changed since. */
export interface EvaluationNow {
  readonly evaluation: Evaluation;
  readonly status: EvaluationStatus;
  readonly error: string | null;
  readonly progress: number | null;
  /** Undefined without a result. */
  readonly changed: readonly Changeable[] | undefined;
}

export interface WholeEvaluation extends EvaluationNow {
  readonly perClass: readonly LabelFigures[];
  readonly intervals: FigureIntervals;
}

interface ReadTogether {
  readonly evaluations: readonly Evaluation[];
  readonly tasks: ReadonlyMap<string, Task>;
}

@Injectable()
export class EvaluationReader {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly evaluations: EvaluationRepository,
    private readonly tasks: TaskLedger,
    private readonly states: EvaluatedStates,
  ) {}

  async list(
    datasetId: string,
    asked: ListedEvaluations,
  ): Promise<{ readonly total: number; readonly listed: readonly EvaluationNow[] }> {
    const read = await this.readTogether(async () => {
      const { total, listed } = await this.evaluations.list(datasetId, asked);
      return { total, evaluations: listed };
    });
    return { total: read.total, listed: await this.now(datasetId, read) };
  }

  async get(datasetId: string, id: string): Promise<WholeEvaluation> {
    const read = await this.readTogether(async () => {
      const evaluation = await this.evaluations.find(datasetId, id);
      if (evaluation === undefined) throw new EvaluationNotFoundError();
      const intervals = await this.intervalsOf(evaluation);
      return { evaluations: [evaluation], perClass: await this.evaluations.perClass(id), intervals };
    });
    return { ...(await this.now(datasetId, read))[0]!, perClass: read.perClass, intervals: read.intervals };
  }

  /** In one snapshot: a task is completed together with its evaluation. */
  private readTogether<T extends Pick<ReadTogether, 'evaluations'>>(
    read: () => Promise<T>,
  ): Promise<T & Pick<ReadTogether, 'tasks'>> {
    return this.transactions.readTogether(async () => {
      const found = await read();
      const tasks = await this.tasks.findAll(found.evaluations.flatMap(({ taskId }) => taskId ?? []));
      return { ...found, tasks };
    });
  }

  /** Throws if it has no result. */
  async completed(datasetId: string, id: string): Promise<Evaluation> {
    const evaluation = await this.evaluations.find(datasetId, id);
    if (evaluation === undefined) throw new EvaluationNotFoundError();
    resultOf(evaluation);
    return evaluation;
  }

  /** Of one with a result. */
  slices({ id }: Evaluation): Promise<EvaluatedSlices> {
    return this.evaluations.slices(id);
  }

  /** Of figures of two with a result. */
  async differences(first: Evaluation, second: Evaluation): Promise<FigureIntervals> {
    const sampled = async ({ id, result }: Evaluation) => ({
      ...result!,
      samples: await this.evaluations.samples(id, result!.file),
    });
    return intervalsOfDifferences(await sampled(first), await sampled(second));
  }

  private async intervalsOf({ id, result }: Evaluation): Promise<FigureIntervals> {
    return result === null ? {} : intervalsOf(result.metrics, await this.evaluations.samples(id, result.file));
  }

  private async now(datasetId: string, { evaluations, tasks }: ReadTogether): Promise<EvaluationNow[]> {
    const { pointer } = await this.datasets.get(datasetId);
    return Promise.all(
      evaluations.map(async (evaluation) => ({
        evaluation,
        ...runOf(evaluation, evaluation.taskId === null ? undefined : tasks.get(evaluation.taskId)),
        changed: await this.changed(evaluation, pointer),
      })),
    );
  }

  private async changed(
    evaluation: Evaluation,
    pointer: DatasetPointer | null,
  ): Promise<readonly Changeable[] | undefined> {
    const { result } = evaluation;
    if (result === null || pointer === null) return undefined;
    return this.states.changesSince(result.evaluated, evaluation, pointer);
  }
}

/** A task that is gone has ended long ago. */
function runOf({ result }: Evaluation, task: Task | undefined): Pick<EvaluationNow, 'status' | 'error' | 'progress'> {
  if (task === undefined) return { status: result === null ? 'ABORTED' : 'COMPLETED', error: null, progress: null };
  const isRunning = task.endTime === null;
  return {
    status: task.status === 'INITIALIZING' ? 'RUNNING' : task.status,
    error: task.errorMessage,
    progress: isRunning ? task.progress : null,
  };
}
