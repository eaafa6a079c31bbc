import { Inject, Injectable } from '@nestjs/common';
import { ExploreService, type ExploreOptions } from '../explore.service';
import { MEDIA_URLS, type MediaUrls } from '../media-urls';
import { TagReader } from '../tags/tag.reader';
import { presentExplore, type Asked } from './explore.presenter';

/** Pages of results, as JSON in the format of explore. */
@Injectable()
export class ExplorePages {
  constructor(
    private readonly explore: ExploreService,
    private readonly tags: TagReader,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  async page(datasetId: string, asked: Asked & ExploreOptions): Promise<Buffer> {
    const { found, names } = await this.tags.withNames(datasetId, asked.snapshotId, () =>
      this.explore.search(datasetId, asked.query, asked.page, asked),
    );
    return presentExplore(found, asked, this.urls, names);
  }
}
