import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { EvaluationResult } from '../../../common/engine/evaluation/evaluation-result';
import { failpoint } from '../../../common/platform/config/failpoint';
import { DomainError } from '../../../common/platform/errors/domain-error';
import { ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import {
  JobHandler,
  type JobAttempt,
  type JobContext,
  type JobRunner,
} from '../../../common/platform/jobs/job-handler';
import { jobStep } from '../../../common/platform/jobs/job-step';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { DatasetReader, type DatasetPointer } from '../../datasets';
import {
  DatasetOperations,
  TaskLedger,
  UsersMayStop,
  type OperationPayload,
  type StoppableOperation,
} from '../../tasks';
import { EvaluationFiles, VersionOpener, type OpenedVersion } from '../../versions';
import { ComparedSources } from '../compared-sources';
import { assertEvaluable, type Evaluation } from '../domain/evaluation';
import { EvaluatedStates } from '../evaluated-states';
import { EvaluationRepository, type CompletedEvaluation } from '../persistence/evaluation.repository';
import { EvaluationSlices } from '../slices/evaluation-slices';
import { CompareStep } from './compare.step';

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
    private readonly compared: ComparedSources,
    private readonly states: EvaluatedStates,
    private readonly comparing: CompareStep,
    private readonly files: EvaluationFiles,
    private readonly slices: EvaluationSlices,
    private readonly evaluations: EvaluationRepository,
  ) {}

  async run(payload: OperationPayload, context: JobContext): Promise<void> {
    const { datasetId, taskId } = payload;
    const pointer = await this.pinned(payload, context);
    const evaluation = await this.evaluationOf(payload);
    await this.tasks.report(taskId, 0, 'Comparing');
    using version = await this.versions.open(pointer);
    const completed = await this.evaluate(evaluation, version, taskId, context.signal);
    failpoint('outcomes-written');
    await this.operations.complete({ ...payload, context }, async () => {
      const latest = await this.evaluations.find(datasetId, evaluation.id);
      return { event: null, afterwards: () => this.evaluations.complete(latest!, completed) };
    });
  }

  async waiting(payload: OperationPayload, sentence: string): Promise<void> {
    await this.operations.reportWaiting(payload, sentence);
  }

  async failed(payload: OperationPayload, error: Error, attempt: JobAttempt): Promise<void> {
    await this.operations.fail(EVALUATING, payload, error, attempt);
    await this.evaluations.release(payload.taskId);
  }

  async cancelled({ taskId }: OperationPayload): Promise<void> {
    await this.evaluations.release(taskId);
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

  private async evaluate(
    evaluation: Evaluation,
    version: OpenedVersion,
    taskId: string,
    signal: AbortSignal,
  ): Promise<CompletedEvaluation> {
    const compared = await refusedForGood(this.compared.open(evaluation.datasetId, version, evaluation));
    const evaluated = await this.states.of(version, evaluation);
    const result = await jobStep('compare-annotations', () =>
      this.comparing.run(evaluation, version, compared, {
        signal,
        report: (part) => this.tasks.report(taskId, Math.floor(95 * part), 'Comparing'),
      }),
    );
    signal.throwIfAborted();
    await this.tasks.report(taskId, 95, 'Writing the outcomes');
    const file = await this.files.write(result.outcomes);
    signal.throwIfAborted();
    await this.tasks.report(taskId, 97, 'Finding slices');
    const completed = { ...toCompleted(result), file, pictures: compared.rows.size, evaluated };
    const slices = await jobStep('find-slices', () => this.slices.find(version, { ...evaluation, result: completed }));
    return { ...completed, slices };
  }
}

/** What cannot be compared now cannot be compared at the next attempt. */
async function refusedForGood<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    const isRefused = error instanceof DomainError || error instanceof ValidationFailedError;
    throw isRefused ? new PermanentJobError(error.message, { cause: error }) : error;
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const toCompleted = ({ perClass, confidence, metrics, errorCosts }: EvaluationResult) => ({
  completedAt: new Date(),
  truth: sumOf(perClass.map(({ truth }) => truth)),
  predictions: sumOf(perClass.map(({ predictions }) => predictions)),
  confidence,
  metrics,
  errorCosts: errorCosts ?? {},
  perClass,
});
