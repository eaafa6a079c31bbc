import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { DatasetReader } from '../datasets';
import type { SavedSearch } from '../search';
import { Settings } from '../settings';
import {
  newView,
  type SavedView,
  TooManyOwnViewsError,
  TooManyViewsError,
  ViewNameTakenError,
} from './domain/saved-view';
import { SavedViewRepository } from './persistence/saved-view.repository';

@Injectable()
export class CreateViewUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly settings: Settings,
    private readonly datasets: DatasetReader,
    private readonly views: SavedViewRepository,
  ) {}

  async create(
    datasetId: string,
    name: string,
    search: SavedSearch,
    { userId, email, name: creator }: Principal,
  ): Promise<SavedView> {
    return this.transactions.run(async () => {
      // With the dataset locked, a batch is committed either before the view exists or after.
      await this.datasets.lock(datasetId);
      await this.assertRoom(datasetId, userId);
      if (await this.views.existsNamed(datasetId, name)) throw new ViewNameTakenError(name);
      const createdBy = { userId, email, name: creator };
      const view = newView({ id: randomUUID(), datasetId, name, createdAt: new Date(), createdBy, search });
      await this.views.insert(view);
      return view;
    });
  }

  private async assertRoom(datasetId: string, userId: string): Promise<void> {
    const { own, all } = await this.views.count(datasetId, userId);
    const mostOwn = this.settings.number('MAX_VIEWS_PER_USER');
    const most = this.settings.number('MAX_VIEWS_PER_DATASET');
    if (mostOwn > 0 && own >= mostOwn) throw new TooManyOwnViewsError(mostOwn);
    if (most > 0 && all >= most) throw new TooManyViewsError(most);
  }
}
