import { Controller, Get, Param, Query, Res, Inject, Injectable } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { datasetPath } from '../../../../common/platform/http/query-values';
import { RateLimited } from '../../../../common/platform/http/rate-limited';
import { exploreParameters, type ExploreParameters } from '../../query/http/search-parameters';
import { exploreResult } from './search-result.schema';
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
  constructor(
    @Inject(PublishedStateReader) private readonly states: Pick<PublishedStateReader, 'get'>,
    private readonly explore: ExploreService,
    private readonly presenter: PagePresenter,
  ) {}

  async page(datasetId: string, asked: AskedPage): Promise<Buffer> {
    const state = await this.states.get(datasetId, asked.snapshotId);
    const found = await this.explore.search(state, asked.query, asked.page, asked);
    return this.presenter.present({ found, asked, names: state.tagNames });
  }
}

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
