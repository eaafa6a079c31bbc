import { Injectable } from '@nestjs/common';
import { DatasetReader, type Dataset } from '../../datasets';
import { NotificationRepository, type NewNotification } from '../../notifications';
import { Settings } from '../../settings';
import { messageOfGathered } from '../domain/gathered-alerts';
import type { SavedView } from '../domain/saved-view';
import { ViewEvaluationRepository } from '../persistence/view-evaluation.repository';

export interface ViewMatch {
  readonly view: SavedView;
  readonly count: number;
}

type Told = Pick<NewNotification, 'entityId' | 'message'> & { readonly viewName: string; readonly count: number };

/** Tells everybody who sees the dataset what its views found in a batch. Joins the transaction, which holds the dataset. */
@Injectable()
export class AlertStep {
  constructor(
    private readonly settings: Settings,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly notifications: NotificationRepository,
    private readonly datasets: DatasetReader,
  ) {}

  /** Of so many views one by one; the others are left to be gathered. */
  async tell(matches: readonly ViewMatch[], batchId: string, dataset: Dataset): Promise<void> {
    if (matches.length === 0) return;
    const most = this.settings.number('MAX_NOTIFICATIONS_PER_BATCH');
    const room = most === 0 ? matches.length : Math.max(0, most - (await this.evaluations.countTold(batchId)));
    const [alone, others] = [matches.slice(0, room), matches.slice(room)];
    const told = alone.map(({ view, count }) => ({ entityId: view.id, viewName: view.name, count, message: null }));
    await this.notify(told, batchId, dataset);
    await this.evaluations.markAlerts(batchId, idsOf(alone), 'told');
    await this.evaluations.markAlerts(batchId, idsOf(others), 'gathered');
  }

  /** Once every view was evaluated: all that was left, in one notification. */
  async tellGathered(batchId: string, dataset: Dataset): Promise<void> {
    if (await this.evaluations.isOwed(batchId)) return;
    const gathered = await this.evaluations.gathered(batchId);
    const [first, ...others] = gathered;
    if (first === undefined) return;
    const message = messageOfGathered(others.map(({ viewName }) => viewName));
    await this.notify(
      [{ entityId: first.viewId, viewName: first.viewName, count: first.count, message }],
      batchId,
      dataset,
    );
    await this.evaluations.markAlerts(
      batchId,
      gathered.map(({ viewId }) => viewId),
      'told',
    );
  }

  private async notify(told: readonly Told[], batchId: string, dataset: Dataset): Promise<void> {
    if (told.length === 0) return;
    const people = await this.datasets.listPeople(dataset);
    await this.notifications.insert(
      told.flatMap(({ entityId, viewName, count, message }) =>
        people.map(({ person }): NewNotification => ({
          userId: person.userId,
          entityType: 'saved_view',
          entityId,
          title: '',
          message,
          metadata: {
            batch_id: batchId,
            is_alert: true,
            view_name: viewName,
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

const idsOf = (matches: readonly ViewMatch[]): string[] => matches.map(({ view }) => view.id);
