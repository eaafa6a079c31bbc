import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/config/failpoint';
import type { JobContext } from '../../../common/jobs/job-handler';
import { DatasetReader, DatasetRepository, type Dataset } from '../../datasets';
import { DomainEvents } from '../../events';
import { NotificationRepository, type NewNotification } from '../../notifications';
import type { MatchCounts, MatchOutcome } from '../../search';
import { countOf, evaluated, type SavedView } from '../domain/saved-view';
import { SavedViewRepository } from '../persistence/saved-view.repository';
import { ViewEvaluationRepository } from '../persistence/view-evaluation.repository';

export interface Evaluation {
  readonly batchId: string;
  readonly dataset: Dataset;
  readonly outcomes: readonly { readonly view: SavedView; readonly outcome: MatchOutcome }[];
}

interface Match {
  readonly view: SavedView;
  readonly count: number;
}

/** In one transaction: the trends of some views, their counts and who is told stand together, or not at all. */
@Injectable()
export class RecordEvaluationStep {
  constructor(
    private readonly views: SavedViewRepository,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly notifications: NotificationRepository,
    private readonly datasets: DatasetRepository,
    private readonly readers: DatasetReader,
    private readonly events: DomainEvents,
  ) {}

  async run({ batchId, dataset, outcomes }: Evaluation, context: JobContext): Promise<void> {
    await context.advance(async () => {
      // Whoever holds several views holds their dataset first.
      await this.datasets.lock(dataset.id);
      const alerts: Match[] = [];
      for (const { view, outcome } of outcomes) {
        if (outcome instanceof Error) await this.giveUp(view.id, batchId, outcome);
        else alerts.push(...(await this.settle(view.id, batchId, dataset, outcome)));
      }
      if (alerts.length > 0) await this.alert(alerts, batchId, dataset);
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
  private async settle(viewId: string, batchId: string, dataset: Dataset, counts: MatchCounts): Promise<Match[]> {
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

  private async alert(matches: readonly Match[], batchId: string, dataset: Dataset): Promise<void> {
    const people = await this.readers.listPeople(dataset);
    await this.notifications.insert(
      matches.flatMap(({ view, count }) =>
        people.map(({ person }): NewNotification => ({
          userId: person.userId,
          entityType: 'saved_view',
          entityId: view.id,
          title: '',
          message: null,
          metadata: {
            batch_id: batchId,
            is_alert: true,
            view_name: view.name,
            dataset_name: dataset.displayName,
            result_count: count,
          },
          datasetId: dataset.id,
        })),
      ),
      new Date(),
    );
  }
}
