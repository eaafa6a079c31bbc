import { Injectable, Logger } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { JobHandler, type JobContext, type JobRunner } from '../../../common/platform/jobs/job-handler';
import { defineJob } from '../../../common/platform/jobs/job-type';
import { UnusableModelError } from '../../../common/engine/models/model-error';
import { DatasetReader, type Dataset, type DatasetPointer } from '../../datasets';
import {
  BatchMatches,
  queryOf,
  UnreadableSearchError,
  type MatchOutcome,
  type SearchQuery,
  type MatchCounts,
} from '../../search';
import { type SavedView, countOf, withBatchCounts } from '../domain/saved-view';
import { SavedViewRepository } from '../persistence/saved-view.repository';
import { ViewEvaluationRepository } from '../persistence/view-evaluation.repository';
import { AlertStep, type ViewMatch } from './alert.step';
import { DomainEvents } from '../../events';

interface Evaluation {
  readonly batchId: string;
  readonly dataset: Dataset;
  readonly outcomes: readonly { readonly view: SavedView; readonly outcome: MatchOutcome }[];
}

/** Saves trends and counts of some views and notifies users, in one transaction. */
@Injectable()
export class RecordEvaluationStep {
  constructor(
    private readonly views: SavedViewRepository,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly datasets: DatasetReader,
    private readonly alerts: AlertStep,
    private readonly events: DomainEvents,
  ) {}

  async run({ batchId, dataset, outcomes }: Evaluation, context: JobContext): Promise<void> {
    await context.commitProgress(async () => {
      // Lock order: the dataset before its views.
      await this.datasets.lock(dataset.id);
      const alerts: ViewMatch[] = [];
      for (const { view, outcome } of outcomes) {
        if (outcome instanceof Error) await this.giveUp(view.id, batchId, outcome);
        else alerts.push(...(await this.record(view.id, batchId, dataset, outcome)));
      }
      await this.alerts.alert(alerts, batchId, dataset);
      await this.alerts.alertGathered(batchId, dataset);
    });
    failpoint('view-recorded');
  }

  /** Runs in the caller's transaction. */
  async giveUp(viewId: string, batchId: string, error: Error): Promise<void> {
    const view = await this.views.lock(viewId);
    if (view === undefined || !(await this.evaluations.cancel(viewId, batchId))) return;
    await this.views.saveResults({ ...view, evaluationError: error.message });
  }

  /** Returns the matches to notify of: none or one. */
  private async record(viewId: string, batchId: string, dataset: Dataset, counts: MatchCounts): Promise<ViewMatch[]> {
    const view = await this.views.lock(viewId);
    if (view === undefined) return [];
    const count = countOf(counts);
    const arrivedAt = await this.evaluations.complete(viewId, batchId, count);
    if (arrivedAt === undefined) return [];
    await this.views.saveResults(withBatchCounts(view, counts, arrivedAt));
    failpoint('view-recording');
    if (count === 0) return [];
    await this.events.record({
      type: 'view.matched',
      datasetId: dataset.id,
      datasetName: dataset.displayName,
      viewId,
      viewName: view.name,
      batchId,
      count,
    });
    return view.alertingEnabled ? [{ view, count }] : [];
  }
}

export interface EvaluationPayload {
  readonly datasetId: string;
  readonly batchId: string;
  /** The version that the batch was added in. */
  readonly pointer: DatasetPointer;
}

export const EVALUATE_VIEWS = defineJob<EvaluationPayload>('evaluate-views');

/** Views recorded in one transaction: one transaction for each view would take longer than the counting. */
const RECORDED_AT_ONCE = 20;

/** Counts the matches of each view in one batch. Idempotent: each view is recorded once, even if the job is interrupted. */
@JobHandler(EVALUATE_VIEWS)
@Injectable()
export class EvaluateViewsJob implements JobRunner<EvaluationPayload> {
  private readonly logger = new Logger(EvaluateViewsJob.name);

  constructor(
    private readonly datasets: DatasetReader,
    private readonly views: SavedViewRepository,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly matches: BatchMatches,
    private readonly recordEvaluation: RecordEvaluationStep,
    private readonly alerts: AlertStep,
  ) {}

  async run(payload: EvaluationPayload, context: JobContext): Promise<void> {
    const dataset = await this.datasets.find(payload.datasetId);
    if (dataset === undefined) return;
    const pending = new Set(await this.evaluations.listPending(payload.batchId));
    // Oldest first: the oldest views get notifications of their own, the others share one.
    const views = (await this.views.list(dataset.id)).filter(({ id }) => pending.has(id)).reverse();
    if (views.length === 0) {
      await this.recordEvaluation.run({ batchId: payload.batchId, dataset, outcomes: [] }, context);
      return;
    }
    const outcomes = await this.evaluate(views, payload, dataset, context.signal);
    failpoint('views-counted');
    const recordable = views.flatMap((view, at) =>
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
    views: readonly SavedView[],
    { batchId, pointer }: EvaluationPayload,
    dataset: Dataset,
    signal: AbortSignal,
  ): Promise<MatchOutcome[]> {
    const outcomes = views.map(({ search }) => {
      try {
        return queryOf(search);
      } catch (error) {
        if (error instanceof UnreadableSearchError) return error;
        throw error;
      }
    });
    const queries = outcomes.filter((each): each is SearchQuery => !(each instanceof Error));
    const counted = await this.matches
      .count({ datasetId: dataset.id, pointer, batchId, queries, signal })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        if (dataset.pointer === null) throw error;
        // The version may have been swept already; the current version holds the same media.
        this.logger.warn(
          `Batch ${batchId} could not be evaluated in its own version; trying the current version of the dataset: ${String(error)}`,
        );
        return this.matches.count({ datasetId: dataset.id, pointer: dataset.pointer, batchId, queries, signal });
      });
    let next = 0;
    return outcomes.map((each) => (each instanceof Error ? each : counted[next++]!));
  }
}

/** An error that the next attempt may not have. */
const isTransient = (outcome: MatchOutcome): outcome is Extract<MatchOutcome, Error> =>
  outcome instanceof Error && !(outcome instanceof UnusableModelError || outcome instanceof UnreadableSearchError);
