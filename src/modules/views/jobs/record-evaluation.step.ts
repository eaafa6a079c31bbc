import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import type { JobContext } from '../../../common/platform/jobs/job-handler';
import { DatasetReader, type Dataset } from '../../datasets';
import { DomainEvents } from '../../events';
import type { MatchCounts, MatchOutcome } from '../../search';
import { countOf, evaluated, type SavedView } from '../domain/saved-view';
import { SavedViewRepository } from '../persistence/saved-view.repository';
import { ViewEvaluationRepository } from '../persistence/view-evaluation.repository';
import { AlertStep, type ViewMatch } from './alert.step';

export interface Evaluation {
  readonly batchId: string;
  readonly dataset: Dataset;
  readonly outcomes: readonly { readonly view: SavedView; readonly outcome: MatchOutcome }[];
}

/** In one transaction: the trends of some views, their counts and who is told stand together, or not at all. */
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
    await context.advance(async () => {
      // Whoever holds several views holds their dataset first.
      await this.datasets.lock(dataset.id);
      const alerts: ViewMatch[] = [];
      for (const { view, outcome } of outcomes) {
        if (outcome instanceof Error) await this.giveUp(view.id, batchId, outcome);
        else alerts.push(...(await this.settle(view.id, batchId, dataset, outcome)));
      }
      await this.alerts.tell(alerts, batchId, dataset);
      await this.alerts.tellGathered(batchId, dataset);
    });
    failpoint('view-recorded');
  }

  /** Joins the transaction. */
  async giveUp(viewId: string, batchId: string, error: Error): Promise<void> {
    const view = await this.views.lock(viewId);
    if (view === undefined || !(await this.evaluations.forgive(viewId, batchId))) return;
    await this.views.saveResults({ ...view, evaluationError: error.message });
  }

  /** Answers what is to be told. */
  private async settle(viewId: string, batchId: string, dataset: Dataset, counts: MatchCounts): Promise<ViewMatch[]> {
    const view = await this.views.lock(viewId);
    if (view === undefined) return [];
    const count = countOf(counts);
    const arrivedAt = await this.evaluations.settle(viewId, batchId, count);
    if (arrivedAt === undefined) return [];
    await this.views.saveResults(evaluated(view, counts, arrivedAt));
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
