import { Injectable } from '@nestjs/common';
import { DatasetReader, type Dataset } from '../../datasets';
import { NotificationRepository, type NewNotification } from '../../notifications';
import { Settings } from '../../settings';
import type { SavedView } from '../domain/saved-view';
import { ViewEvaluationRepository } from '../persistence/view-evaluation.repository';

const NAMED = 10;
const LONGEST_NAME = 80;

const shortened = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

export interface ViewMatch {
  readonly view: SavedView;
  readonly count: number;
}

type ViewAlert = Pick<NewNotification, 'entityId' | 'message'> & { readonly viewName: string; readonly count: number };

/** Notifies everybody who has access to the dataset of the matches in a batch. The caller's transaction must have locked the dataset. */
@Injectable()
export class AlertStep {
  constructor(
    private readonly settings: Settings,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly notifications: NotificationRepository,
    private readonly datasets: DatasetReader,
  ) {}

  /** Sends one notification for each view up to the limit; the remaining views are reported together by `alertGathered`. */
  async alert(matches: readonly ViewMatch[], batchId: string, dataset: Dataset): Promise<void> {
    if (matches.length === 0) return;
    const most = this.settings.number('MAX_NOTIFICATIONS_PER_BATCH');
    const capacity = most === 0 ? matches.length : Math.max(0, most - (await this.evaluations.countAlerted(batchId)));
    const [individual, remaining] = [matches.slice(0, capacity), matches.slice(capacity)];
    const alerts = individual.map(({ view, count }) => ({
      entityId: view.id,
      viewName: view.name,
      count,
      message: null,
    }));
    await this.notify(alerts, batchId, dataset);
    await this.evaluations.markAlerts(batchId, idsOf(individual), 'told');
    await this.evaluations.markAlerts(batchId, idsOf(remaining), 'gathered');
  }

  /** Once every view is evaluated: one notification for all views beyond the limit. */
  async alertGathered(batchId: string, dataset: Dataset): Promise<void> {
    if (await this.evaluations.hasPending(batchId)) return;
    const gathered = await this.evaluations.listGathered(batchId);
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

  private async notify(alerts: readonly ViewAlert[], batchId: string, dataset: Dataset): Promise<void> {
    if (alerts.length === 0) return;
    const people = await this.datasets.listPeople(dataset);
    await this.notifications.insert(
      alerts.flatMap(({ entityId, viewName, count, message }) =>
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

/** Message about the other views that have matches in the same batch; null if there are none. */
export function messageOfGathered(viewNames: readonly string[]): string | null {
  if (viewNames.length === 0) return null;
  const named = viewNames.slice(0, NAMED).map((name) => `'${shortened(name)}'`);
  const more = viewNames.length - named.length;
  const all = more === 0 ? named : [...named, `${more} more`];
  const what = viewNames.length === 1 ? '1 more view has' : `${viewNames.length} more views have`;
  return `${what} new matches in this batch: ${new Intl.ListFormat('en').format(all)}`;
}
