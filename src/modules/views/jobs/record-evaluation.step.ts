import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import type { JobContext } from '../../../common/platform/jobs/job-handler';
import { DatasetReader, type Dataset } from '../../datasets';
import { DomainEvents } from '../../events';
import type { MatchCounts, MatchOutcome } from '../../search';
import { type SavedView, countOf, withBatchCounts } from '../domain/saved-view';
import { SavedViewRepository } from '../persistence/saved-view.repository';
import { ViewEvaluationRepository } from '../persistence/view-evaluation.repository';
import { AlertStep, type ViewMatch } from './alert.step';

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

  /** Runs in the caller's transaction. Returns the matches to notify of: none or one. */
  async record(viewId: string, batchId: string, dataset: Dataset, counts: MatchCounts): Promise<ViewMatch[]> {
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
