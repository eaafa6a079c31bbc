import { Injectable } from '@nestjs/common';
import type { EvaluationResult } from '../../../common/engine/evaluation/evaluation-result';
import { DomainError } from '../../../common/platform/errors/domain-error';
import { ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { jobStep } from '../../../common/platform/jobs/job-step';
import { EvaluationFiles, type OpenedVersion } from '../../versions';
import { ComparedSources } from '../compared-sources';
import type { Evaluation } from '../domain/evaluation';
import { EvaluatedStates } from '../evaluated-states';
import type { CompletedEvaluation } from '../persistence/evaluation.repository';
import { EvaluationSlices } from '../slices/evaluation-slices';
import { CompareStep } from './compare.step';

interface Measuring {
  readonly signal: AbortSignal;
  readonly report: (percent: number, message: string) => Promise<unknown>;
}

/** Compares the sources of a version, and writes the outcomes, which nothing names yet. */
@Injectable()
export class MeasureStep {
  constructor(
    private readonly compared: ComparedSources,
    private readonly states: EvaluatedStates,
    private readonly comparing: CompareStep,
    private readonly files: EvaluationFiles,
    private readonly slices: EvaluationSlices,
  ) {}

  async run(
    evaluation: Evaluation,
    version: OpenedVersion,
    { signal, report }: Measuring,
  ): Promise<CompletedEvaluation> {
    await report(0, 'Comparing');
    const compared = await refusedForGood(this.compared.open(evaluation.datasetId, version, evaluation));
    const evaluated = await this.states.of(version, evaluation, compared.rows);
    const result = await jobStep('compare-annotations', () =>
      this.comparing.run(evaluation, version, compared, {
        signal,
        report: (part) => report(Math.floor(95 * part), 'Comparing'),
      }),
    );
    signal.throwIfAborted();
    await report(95, 'Writing the outcomes');
    const file = await this.files.write(result.outcomes);
    signal.throwIfAborted();
    await report(97, 'Finding slices');
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

const toCompleted = ({ perClass, confidence, metrics, samples, errorCosts }: EvaluationResult) => ({
  completedAt: new Date(),
  truth: sumOf(perClass.map(({ truth }) => truth)),
  predictions: sumOf(perClass.map(({ predictions }) => predictions)),
  confidence,
  metrics,
  samples,
  errorCosts: errorCosts ?? {},
  perClass,
});
