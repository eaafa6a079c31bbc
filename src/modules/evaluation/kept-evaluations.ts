import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Sweeps, type Sweep } from '../../common/platform/database/sweeps';
import { outageOf } from '../../common/platform/outage/outage';
import { DatasetReader, type DatasetPointer } from '../datasets';
import { TaskLedger } from '../tasks';
import { isRested, type Evaluation } from './domain/evaluation';
import { EvaluatedStates } from './evaluated-states';
import { EvaluationRepository } from './persistence/evaluation.repository';
import { StartEvaluationUseCase } from './start-evaluation.use-case';

const MINUTE_MS = 60 * 1000;

/** Runs evaluations again that are kept up to date. Each version of a dataset is checked once, so a run that fails is repeated after the next change. */
@Injectable()
export class KeptEvaluations implements Sweep {
  private readonly logger = new Logger(KeptEvaluations.name);

  constructor(
    private readonly sweeps: Sweeps,
    private readonly datasets: DatasetReader,
    private readonly tasks: TaskLedger,
    private readonly states: EvaluatedStates,
    private readonly start: StartEvaluationUseCase,
    private readonly evaluations: EvaluationRepository,
  ) {}

  @Interval(MINUTE_MS)
  frequent(): Promise<void> {
    return this.sweeps.run('evaluations that are kept up to date', this);
  }

  /** Removes nothing. */
  async sweep(now: Date): Promise<number> {
    for (const datasetId of await this.evaluations.listChangedDatasets()) {
      try {
        await this.check(datasetId, now);
      } catch (error) {
        if (outageOf(error) !== undefined) throw error;
        this.logger.error(
          `The evaluations of dataset ${datasetId} could not be checked`,
          error instanceof Error ? error.stack : String(error),
        );
      }
    }
    return 0;
  }

  private async check(datasetId: string, now: Date): Promise<void> {
    const pointer = (await this.datasets.find(datasetId))?.pointer;
    if (pointer == null) return;
    const unchecked = await this.evaluations.listUnchecked(datasetId, pointer);
    const tasks = await this.tasks.findAll(unchecked.flatMap(({ taskId }) => taskId ?? []));
    const unchanged: string[] = [];
    for (const evaluation of unchecked) {
      const task = tasks.get(evaluation.taskId ?? '');
      if (task !== undefined && !isRested(task, now)) continue;
      if (await this.hasChanged(evaluation, pointer)) await this.start.keepUpToDate(datasetId, evaluation.id);
      else unchanged.push(evaluation.id);
    }
    await this.evaluations.setChecked(unchanged, pointer);
  }

  private async hasChanged({ result, ...evaluation }: Evaluation, pointer: DatasetPointer): Promise<boolean> {
    return result === null || (await this.states.changesSince(result.evaluated, evaluation, pointer)).length > 0;
  }
}
