import { Injectable, Logger } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { JobHandler, type JobContext, type JobRunner } from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { UnusableModelError } from '../../../common/engine/models/model-error';
import { DatasetReader, type Dataset, type DatasetPointer } from '../../datasets';
import {
  BatchMatches,
  NoOutcomesError,
  UnreadableSearchError,
  type MatchOutcome,
  type SearchQuery,
} from '../../search';
import { SavedViewRepository } from '../persistence/saved-view.repository';
import { ViewEvaluationRepository } from '../persistence/view-evaluation.repository';
import { AlertStep } from './alert.step';
import { RecordEvaluationStep } from './record-evaluation.step';
import { askedOf, WaitingViews, type AskedView } from './waiting-views.step';

export interface EvaluationPayload {
  readonly datasetId: string;
  readonly batchId: string;
  /** The version that the batch was added in. */
  readonly pointer: DatasetPointer;
}

export const EVALUATE_VIEWS = defineJob<EvaluationPayload>('evaluate-views');

/** Views recorded in one transaction: one transaction for each view would take longer than the counting. */
const RECORDED_AT_ONCE = 20;

/** Counts the matches of each view in one batch, but of those that wait. Idempotent: each view is recorded once, even if the job is interrupted. */
@JobHandler(EVALUATE_VIEWS)
@Injectable()
export class EvaluateViewsJob implements JobRunner<EvaluationPayload> {
  private readonly logger = new Logger(EvaluateViewsJob.name);

  constructor(
    private readonly datasets: DatasetReader,
    private readonly views: SavedViewRepository,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly matches: BatchMatches,
    private readonly waitingViews: WaitingViews,
    private readonly recordEvaluation: RecordEvaluationStep,
    private readonly alerts: AlertStep,
  ) {}

  async run(payload: EvaluationPayload, context: JobContext): Promise<void> {
    const dataset = await this.datasets.find(payload.datasetId);
    if (dataset === undefined) return;
    const uncounted = new Set(await this.evaluations.listUncounted(payload.batchId));
    // Oldest first: the oldest views get notifications of their own, the others share one.
    const all = (await this.views.list(dataset.id)).filter(({ id }) => uncounted.has(id)).reverse();
    const views = await this.waitingViews.exclude(all.map(askedOf), { ...payload, dataset }, context, (find) =>
      this.inVersion(payload, dataset, context.signal, find),
    );
    if (views.length === 0) {
      await this.recordEvaluation.run({ batchId: payload.batchId, dataset, outcomes: [] }, context);
      return;
    }
    const outcomes = await this.evaluate(views, payload, dataset, context.signal);
    failpoint('views-counted');
    const recordable = views.flatMap(({ view }, at) =>
      isTransient(outcomes[at]!) ? [] : { view, outcome: outcomes[at]! },
    );
    for (let start = 0; start < recordable.length; start += RECORDED_AT_ONCE) {
      context.signal.throwIfAborted();
      const some = recordable.slice(start, start + RECORDED_AT_ONCE);
      await this.recordEvaluation.run({ batchId: payload.batchId, dataset, outcomes: some }, context);
    }
    const failure = outcomes.find(isTransient);
    if (failure !== undefined) throw failure;
  }

  /** Gives up the evaluations that are still pending after the last attempt, and saves the reason with each view. */
  async failed({ batchId, datasetId }: EvaluationPayload, error: Error): Promise<void> {
    const pending = await this.evaluations.listPending(batchId);
    if (pending.length === 0) return;
    const dataset = await this.datasets.lock(datasetId);
    for (const id of pending) await this.recordEvaluation.giveUp(id, batchId, error);
    await this.alerts.alertGathered(batchId, dataset);
  }

  private async evaluate(
    views: readonly AskedView[],
    payload: EvaluationPayload,
    dataset: Dataset,
    signal: AbortSignal,
  ): Promise<MatchOutcome[]> {
    const queries = views.map(({ query }) => query).filter((each): each is SearchQuery => !(each instanceof Error));
    const counted = await this.inVersion(payload, dataset, signal, (pointer) =>
      this.matches.count({ datasetId: dataset.id, pointer, batchId: payload.batchId, queries, signal }),
    );
    let next = 0;
    return views.map(({ query }) => (query instanceof Error ? query : counted[next++]!));
  }

  /** Works on the version that the batch was added in, or on the current one, which has the same media, if that was swept already. */
  private inVersion<T>(
    { batchId, pointer }: EvaluationPayload,
    { pointer: current }: Dataset,
    signal: AbortSignal,
    work: (pointer: DatasetPointer) => Promise<T>,
  ): Promise<T> {
    return work(pointer).catch((error: unknown) => {
      signal.throwIfAborted();
      if (current === null) throw error;
      this.logger.warn(
        `Batch ${batchId} could not be evaluated in its own version; trying the current version of the dataset: ${String(error)}`,
      );
      return work(current);
    });
  }
}

const PERMANENT = [UnusableModelError, UnreadableSearchError, NoOutcomesError];

/** An error that the next attempt may not have. */
const isTransient = (outcome: MatchOutcome): outcome is Extract<MatchOutcome, Error> =>
  outcome instanceof Error && !PERMANENT.some((permanent) => outcome instanceof permanent);
