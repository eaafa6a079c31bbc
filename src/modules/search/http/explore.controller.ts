import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/http/access';
import { datasetPath } from '../../../common/http/query-values';
import { ExploreService } from '../explore.service';
import { MEDIA_URLS, type MediaUrls } from '../media-urls';
import { presentExplore } from './explore.presenter';
import { exploreQuery, exploreResult, type ExploreQueryValues, type ExploreResult } from './explore.schema';

@ApiTags('Search')
@Controller('api/v1/explore')
export class ExploreController {
  constructor(
    private readonly explore: ExploreService,
    @Inject(MEDIA_URLS) private readonly urls: MediaUrls,
  ) {}

  @Get(':dataset_id')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'Browse the clusters of a dataset' })
  @ApiOkResponse({ standardSchema: exploreResult })
  async browse(
    @Param({ schema: datasetPath }) path: z.output<typeof datasetPath>,
    @Query({ schema: exploreQuery }) query: ExploreQueryValues,
  ): Promise<ExploreResult> {
    return presentExplore(await this.explore.browse(path.dataset_id, query), query, this.urls);
  }
}
