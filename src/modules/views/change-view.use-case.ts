import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { DatasetReader, grants } from '../datasets';
import { NotificationRepository } from '../notifications';
import { type SavedView, ForeignViewError, MonitoringNotEnabledError, ViewNotFoundError } from './domain/saved-view';
import { SavedViewRepository } from './persistence/saved-view.repository';

/** Changes to a view, allowed to its creator and to everybody who may change the dataset. */
@Injectable()
export class ChangeViewUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly views: SavedViewRepository,
    private readonly notifications: NotificationRepository,
  ) {}

  async setAlerting(datasetId: string, id: string, enabled: boolean, caller: Principal): Promise<void> {
    const view = await this.changeable(datasetId, id, caller);
    if (!view.monitoringEnabled) throw new MonitoringNotEnabledError();
    await this.views.setAlerting(id, enabled);
  }

  /** Also deletes its trend and its notifications. */
  async delete(datasetId: string, id: string, caller: Principal): Promise<void> {
    await this.changeable(datasetId, id, caller);
    await this.transactions.run(async () => {
      if (!(await this.views.delete(id))) throw new ViewNotFoundError();
      await this.notifications.deleteOf('saved_view', id);
    });
  }

  /** Tells of the views of a dataset which ones the caller may change. */
  async changeableBy(caller: Principal, datasetId: string): Promise<(view: SavedView) => boolean> {
    const role = await this.datasets.roleOn(caller, datasetId);
    const mayChangeAll = role !== undefined && grants(role, 'write');
    return (view) => mayChangeAll || view.createdBy.userId === caller.userId;
  }

  private async changeable(datasetId: string, id: string, caller: Principal): Promise<SavedView> {
    const view = await this.views.find(datasetId, id);
    if (view === undefined) throw new ViewNotFoundError();
    const mayChange = await this.changeableBy(caller, datasetId);
    if (!mayChange(view)) throw new ForeignViewError();
    return view;
  }
}
