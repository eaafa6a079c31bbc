import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import type { Dataset } from '../datasets';
import { unknownEvaluation, withCopiedEvaluations } from '../search';
import { CloneCompanions, type EvaluationCopies } from '../snapshots';
import { newView } from './domain/saved-view';
import { askedOf } from './jobs/waiting-views.step';
import { SavedViewRepository } from './persistence/saved-view.repository';

/** Copies the views of a cloned dataset: their searches, by the copies of evaluations, without counts and trends. */
@Injectable()
export class CopiedViews implements OnModuleInit {
  constructor(
    private readonly companions: CloneCompanions,
    private readonly views: SavedViewRepository,
  ) {}

  onModuleInit(): void {
    this.companions.registerViews((source, clone, owner, evaluations) => this.copy(source, clone, owner, evaluations));
  }

  private async copy(
    source: Dataset,
    { id: datasetId, createdAt }: Dataset,
    { userId, email, name }: Principal,
    copies: EvaluationCopies,
  ): Promise<void> {
    const createdBy = { userId, email, name };
    for (const view of await this.views.list(source.id)) {
      const search = { ...view.search, vql: withCopiedEvaluations(view.search.vql, copies) };
      const copy = newView({ id: randomUUID(), datasetId, name: view.name, createdAt, createdBy, search });
      const gone = askedOf(view).evaluations.find((id) => !copies.has(id));
      const evaluationError = gone === undefined ? null : unknownEvaluation(gone);
      await this.views.insert({ ...copy, alertingEnabled: view.alertingEnabled, evaluationError });
    }
  }
}
