import { Injectable } from '@nestjs/common';
import type { LabelFigures } from '../../common/engine/evaluation/evaluation-result';
import { DatasetReader, type DatasetPointer } from '../datasets';
import { TaskLedger, type Task } from '../tasks';
import { EvaluatedStates } from './evaluated-states';
import type { Changeable } from './domain/evaluated-state';
import { EvaluationNotFoundError, type Evaluation, type EvaluationStatus } from './domain/evaluation';
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

@Injectable()
export class EvaluationReader {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly evaluations: EvaluationRepository,
    private readonly tasks: TaskLedger,
    private readonly states: EvaluatedStates,
  ) {}

  async list(
    datasetId: string,
    asked: ListedEvaluations,
  ): Promise<{ readonly total: number; readonly listed: readonly EvaluationNow[] }> {
    const { total, listed } = await this.evaluations.list(datasetId, asked);
    return { total, listed: await this.now(datasetId, listed) };
  }

  async get(datasetId: string, id: string): Promise<EvaluationNow> {
    const evaluation = await this.evaluations.find(datasetId, id);
    if (evaluation === undefined) throw new EvaluationNotFoundError();
    const [now] = await this.now(datasetId, [evaluation]);
    return now!;
  }

  perClass({ id }: Evaluation): Promise<readonly LabelFigures[]> {
    return this.evaluations.perClass(id);
  }

  private async now(datasetId: string, evaluations: readonly Evaluation[]): Promise<EvaluationNow[]> {
    const tasks = await this.tasks.findAll(evaluations.flatMap(({ taskId }) => taskId ?? []));
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
