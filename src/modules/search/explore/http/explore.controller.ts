import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { datasetPath } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { ExplorePages } from './explore-pages';
import { exploreParameters, type ExploreParameters } from '../../query/http/search-parameters';
import { exploreResult } from './search-result.schema';

@ApiTags('Search')
@Controller('api/v1/explore')
export class ExploreController {
  constructor(private readonly pages: ExplorePages) {}

  @Get(':dataset_id')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'Search or browse a dataset; returns clusters' })
  @ApiOkResponse({ standardSchema: exploreResult })
  @MayFail(400, 409)
  async search(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: z.output<typeof datasetPath>,
    @Query({ schema: exploreParameters }) asked: ExploreParameters,
    @Res() response: Response,
  ): Promise<void> {
    response.type('json').send(await this.pages.page(datasetId, asked));
  }
}
