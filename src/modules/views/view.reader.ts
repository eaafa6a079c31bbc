import { Injectable } from '@nestjs/common';
import { ExplorePages, queryOf, UnreadableSearchError, withinBatch, type SearchQuery } from '../search';
import {
  type SavedView,
  type TrendPoint,
  MonitoringNotEnabledError,
  ViewNotFoundError,
  ViewNotReadableError,
} from './domain/saved-view';
import { SavedViewRepository } from './persistence/saved-view.repository';
import { ViewEvaluationRepository } from './persistence/view-evaluation.repository';

export interface Trend {
  readonly view: SavedView;
  readonly points: readonly TrendPoint[];
}

@Injectable()
export class ViewReader {
  constructor(
    private readonly views: SavedViewRepository,
    private readonly evaluations: ViewEvaluationRepository,
    private readonly pages: ExplorePages,
  ) {}

  list(datasetId: string): Promise<SavedView[]> {
    return this.views.list(datasetId);
  }

  /** By view: in how many batches it waits; 0 is left out. */
  countWaiting(datasetId: string): Promise<ReadonlyMap<string, number>> {
    return this.evaluations.countWaiting(datasetId);
  }

  async trend(datasetId: string, id: string): Promise<Trend> {
    const view = await this.get(datasetId, id);
    if (!view.monitoringEnabled) throw new MonitoringNotEnabledError();
    return { view, points: await this.evaluations.trend(id) };
  }

  /** The matches of the view in one batch, in the current version of the dataset, as JSON. */
  async results(datasetId: string, id: string, batchId: string, page: number): Promise<Buffer> {
    const query = await this.query(datasetId, id);
    return await this.pages.page(datasetId, { query: withinBatch(query, batchId), page });
  }

  /** What a view searches for; an error says that its filters are no longer valid. */
  async query(datasetId: string, id: string): Promise<SearchQuery> {
    const { search } = await this.get(datasetId, id);
    try {
      return queryOf(search);
    } catch (error) {
      if (error instanceof UnreadableSearchError) throw new ViewNotReadableError(error.message);
      throw error;
    }
  }

  /** Locks the view until the transaction ends. */
  async lock(datasetId: string, id: string): Promise<void> {
    if ((await this.views.lock(id))?.datasetId !== datasetId) throw new ViewNotFoundError();
  }

  private async get(datasetId: string, id: string): Promise<SavedView> {
    const view = await this.views.find(datasetId, id);
    if (view === undefined) throw new ViewNotFoundError();
    return view;
  }
}
