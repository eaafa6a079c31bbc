import { Inject, Injectable } from '@nestjs/common';
import { PublishedStateReader } from '../../../versions';
import type { SearchQuery } from '../../query/domain/search-query';
import { ExploreService, type ExploreOptions } from '../explore.service';
import { PagePresenter } from './page-presenter';

interface AskedPage extends ExploreOptions {
  readonly query: SearchQuery;
  readonly page: number;
  readonly snapshotId?: string | undefined;
}

/** Pages of results, as JSON in the format of explore. */
@Injectable()
export class ExplorePages {
  /** Pages that are being found or written. */
  private open = 0;

  constructor(
    @Inject(PublishedStateReader) private readonly states: Pick<PublishedStateReader, 'get'>,
    private readonly explore: ExploreService,
    private readonly presenter: PagePresenter,
  ) {}

  async page(datasetId: string, asked: AskedPage): Promise<Buffer> {
    this.open += 1;
    try {
      const state = await this.states.get(datasetId, asked.snapshotId);
      const found = await this.explore.search(state, asked.query, asked.page, asked);
      return await this.presenter.present({ found, asked, names: state.tagNames }, this.open > 1);
    } finally {
      this.open -= 1;
    }
  }
}
