import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import type { Dataset } from '../datasets';
import { CloneCompanions } from '../snapshots';
import { newView } from './domain/saved-view';
import { SavedViewRepository } from './persistence/saved-view.repository';

/** Copies the views of a cloned dataset: their searches, without counts and trends. */
@Injectable()
export class CopiedViews implements OnModuleInit {
  constructor(
    private readonly companions: CloneCompanions,
    private readonly views: SavedViewRepository,
  ) {}

  onModuleInit(): void {
    this.companions.registerViews((source, clone, owner) => this.copy(source, clone, owner));
  }

  private async copy(source: Dataset, clone: Dataset, { userId, email, name }: Principal): Promise<void> {
    const createdBy = { userId, email, name };
    for (const { name: viewName, search, alertingEnabled } of await this.views.list(source.id)) {
      const { id: datasetId, createdAt } = clone;
      const view = newView({ id: randomUUID(), datasetId, name: viewName, createdAt, createdBy, search });
      await this.views.insert({ ...view, alertingEnabled });
    }
  }
}
