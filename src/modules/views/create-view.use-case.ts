import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/database/transaction-runner';
import type { Principal } from '../../common/http/principal';
import { DatasetRepository } from '../datasets';
import type { KeptSearch } from '../search';
import { NOT_EVALUATED, type SavedView } from './domain/saved-view';
import { ViewNameTakenError } from './domain/view-errors';
import { SavedViewRepository } from './persistence/saved-view.repository';

@Injectable()
export class CreateViewUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetRepository,
    private readonly views: SavedViewRepository,
  ) {}

  async create(
    datasetId: string,
    name: string,
    search: KeptSearch,
    { userId, email, name: creator }: Principal,
  ): Promise<SavedView> {
    return this.transactions.run(async () => {
      // A batch that comes meanwhile comes wholly before the view, or after it.
      await this.datasets.lock(datasetId);
      if (await this.views.existsNamed(datasetId, name)) throw new ViewNameTakenError(name);
      const view: SavedView = {
        id: randomUUID(),
        datasetId,
        name,
        createdAt: new Date(),
        createdBy: { userId, email, name: creator },
        search,
        stats: NOT_EVALUATED,
        monitoringEnabled: true,
        alertingEnabled: true,
        totalResults: 0,
        lastResults: null,
        evaluationError: null,
      };
      await this.views.insert(view);
      return view;
    });
  }
}
