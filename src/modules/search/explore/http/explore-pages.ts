import { Injectable } from '@nestjs/common';
import type { SearchQuery } from '../../query/domain/search-query';
import { ExploreService, type ExploreOptions } from '../explore.service';
import { TagReader } from '../../tags/tag.reader';
import { PagePresenter } from './page-presenter';

interface AskedPage extends ExploreOptions {
  readonly query: SearchQuery;
  readonly page: number;
}

/** Pages of results, as JSON in the format of explore. */
@Injectable()
export class ExplorePages {
  constructor(
    private readonly explore: ExploreService,
    private readonly tags: TagReader,
    private readonly presenter: PagePresenter,
  ) {}

  page(datasetId: string, asked: AskedPage): Promise<Buffer> {
    return this.presenter.present(async () => {
      const { found, names } = await this.tags.withNames(datasetId, asked.snapshotId, () =>
        this.explore.search(datasetId, asked.query, asked.page, asked),
      );
      return { found, asked, names };
    });
  }
}
