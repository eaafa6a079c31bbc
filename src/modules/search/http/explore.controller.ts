import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/http/access';
import { datasetPath } from '../../../common/http/query-values';
import { ExploreService } from '../explore.service';
import { MEDIA_URLS, type MediaUrls } from '../media-urls';
import { TagReader } from '../tags/tag.reader';
import { presentExplore } from './explore.presenter';
import { exploreParameters, type ExploreParameters } from './search-parameters';
import { exploreResult, type ExploreResult } from './search-result.schema';

@ApiTags('Search')
@Controller('api/v1/explore')
export class ExploreController {
  constructor(
    private readonly explore: ExploreService,
    private readonly tags: TagReader,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  @Get(':dataset_id')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'Search a dataset, or browse it; answers clusters' })
  @ApiOkResponse({ standardSchema: exploreResult })
  async search(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Query({ schema: exploreParameters }) asked: ExploreParameters,
  ): Promise<ExploreResult> {
    const { found, names } = await this.tags.withNames(datasetId, asked.snapshotId, () =>
      this.explore.search(datasetId, asked.query, asked.page, asked.snapshotId),
    );
    return presentExplore(found, asked, this.urls, names);
  }
}
