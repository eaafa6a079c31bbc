import { Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/config/failpoint';
import type { JobContext } from '../../../common/jobs/job-handler';
import { DatasetReader, type Dataset } from '../../datasets';
import { DomainEvents } from '../../events';
import { NotificationRepository, type NewNotification } from '../../notifications';
import type { MatchCounts, MatchOutcome } from '../../search';
import { countOf, evaluated, type SavedView } from '../domain/saved-view';
import { SavedViewRepository } from '../persistence/saved-view.repository';
import { ViewEvaluationRepository } from '../persistence/view-evaluation.repository';

export interface Evaluation {
  readonly view: SavedView;
  readonly batchId: string;
  readonly dataset: Dataset;
  readonly outcome: MatchOutcome;
}

/** One transaction for each view: its trend, its counts and who is told stand together, or not at all. */
@Injectable()
export class RecordEvaluationStep {
  constructor(
    private readonly views: SavedViewRepository,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly notifications: NotificationRepository,
    private readonly datasets: DatasetReader,
    private readonly events: DomainEvents,
  ) {}

  async run({ view, batchId, dataset, outcome }: Evaluation, context: JobContext): Promise<void> {
    await context.commit(() =>
      outcome instanceof Error
        ? this.giveUp(view.id, batchId, outcome)
        : this.settle(view.id, batchId, dataset, outcome),
    );
    failpoint('view-recorded');
  }

  /** Joins the transaction. */
  async giveUp(viewId: string, batchId: string, error: Error): Promise<void> {
    const view = await this.views.lock(viewId);
    if (view === undefined || !(await this.evaluations.forgive(viewId, batchId))) return;
    await this.views.saveResults({ ...view, evaluationError: error.message });
  }

  private async settle(viewId: string, batchId: string, dataset: Dataset, counts: MatchCounts): Promise<void> {
    const view = await this.views.lock(viewId);
    if (view === undefined) return;
    const count = countOf(counts);
    const arrivedAt = await this.evaluations.settle(viewId, batchId, count);
    if (arrivedAt === undefined) return;
    await this.views.saveResults(evaluated(view, counts, arrivedAt));
    failpoint('view-recording');
    if (count === 0) return;
    await this.events.record({
      type: 'view.matched',
      datasetId: dataset.id,
      datasetName: dataset.displayName,
      viewId,
      viewName: view.name,
      batchId,
      count,
    });
    if (view.alertingEnabled) await this.alert(view, batchId, dataset, count);
  }

  private async alert(view: SavedView, batchId: string, dataset: Dataset, count: number): Promise<void> {
    const people = await this.datasets.listPeople(dataset);
    await this.notifications.insert(
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
      new Date(),
    );
  }
}
