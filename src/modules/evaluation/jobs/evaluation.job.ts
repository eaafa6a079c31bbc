import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { failpoint } from '../../../common/platform/config/failpoint';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { DatasetReader, type DatasetPointer } from '../../datasets';
import {
  DatasetOperations,
  TaskLedger,
  UsersMayStop,
  type OperationPayload,
  type StoppableOperation,
} from '../../tasks';
import { VersionOpener } from '../../versions';
import { assertEvaluable, type Evaluation } from '../domain/evaluation';
import { EvaluationChanges } from '../evaluation-changes';
import { EvaluationRepository } from '../persistence/evaluation.repository';
import { MeasureStep } from './measure.step';

const EVALUATION = defineJob<OperationPayload>('evaluation', { concurrency: 1 });

const parameters = z.object({ evaluationId: z.string() });

/** Nothing blocks it: it reads a version that stays. */
export const EVALUATING: StoppableOperation<z.infer<typeof parameters>> = {
  task: 'EVALUATION',
  job: EVALUATION,
  parameters,
  begun: null,
  failed: null,
  stoppable: { operation: null },
};

/** Compares two sources of a dataset as it is at the beginning. An interrupted attempt starts over. */
@JobHandler(EVALUATION)
@UsersMayStop(EVALUATING)
@Injectable()
export class EvaluationJob implements JobRunner<OperationPayload> {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly versions: VersionOpener,
    private readonly operations: DatasetOperations,
    private readonly tasks: TaskLedger,
    private readonly measuring: MeasureStep,
    private readonly evaluations: EvaluationRepository,
    private readonly changes: EvaluationChanges,
  ) {}

  async run(payload: OperationPayload, context: JobContext): Promise<void> {
    const { datasetId, taskId } = payload;
    const pointer = await this.pinned(payload, context);
    const evaluation = await this.evaluationOf(payload);
    using version = await this.versions.open(pointer);
    const completed = await this.measuring.run(evaluation, version, {
      signal: context.signal,
      report: (percent, message) => this.tasks.report(taskId, percent, message),
    });
    failpoint('outcomes-written');
    await this.operations.complete({ ...payload, context }, async () => {
      const latest = await this.evaluations.find(datasetId, evaluation.id);
      const afterwards = async (): Promise<void> => {
        await this.evaluations.complete(latest!, completed);
        await this.changes.notify({ datasetId, evaluationId: evaluation.id });
      };
      return { event: null, afterwards };
    });
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.operations.reportWaiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.operations.fail(EVALUATING, payload, error, attempt);
    await this.evaluations.releaseEnded(payload.taskId);
  }

  async cancelled({ taskId }: OperationPayload): Promise<void> {
    await this.evaluations.releaseEnded(taskId);
  }

  /** The version of the dataset from now on to the end, so that sweeps keep it. */
  private pinned({ datasetId, taskId }: OperationPayload, context: JobContext): Promise<DatasetPointer> {
    return context.commit(async () => {
      const pointer = assertEvaluable(await this.datasets.lock(datasetId));
      await this.tasks.assertWorkedBy(taskId, context.runId);
      if (!(await this.evaluations.pin(taskId, pointer)))
        throw new PermanentJobError('The evaluation was deleted, or was run again since');
      return pointer;
    });
  }

  private async evaluationOf(payload: OperationPayload): Promise<Evaluation> {
    const { parameters: asked } = await this.operations.open(EVALUATING, payload);
    const evaluation = await this.evaluations.find(payload.datasetId, asked.evaluationId);
    if (evaluation === undefined) throw new PermanentJobError('The evaluation was deleted');
    return evaluation;
  }
}
