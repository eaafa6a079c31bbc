import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { receiveFields } from '../../../common/platform/http/multipart';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { RateLimited } from '../../../common/platform/http/rate-limited';
import { parseOrFail } from '../../../common/platform/http/zod-validation.pipe';
import { exploreResult, savedSearchParameters, type SavedSearch } from '../../search';
import { ChangeViewUseCase } from '../change-view.use-case';
import { CreateViewUseCase } from '../create-view.use-case';
import { ViewReader } from '../view.reader';
import {
  presentTrend,
  presentView,
  alertingBody,
  alertingResponse,
  resultsQuery,
  trendResponse,
  viewForm,
  viewPath,
  viewResponse,
  viewsResponse,
  type AlertingBody,
  type ResultsQuery,
  type TrendResponse,
  type ViewPath,
  type ViewResponse,
} from './view.schemas';

type DatasetPath = z.infer<typeof datasetPath>;

@ApiTags('Saved views')
@Controller('api/v1/dataset/:dataset_id/views')
export class ViewController {
  constructor(
    private readonly views: ViewReader,
    private readonly createView: CreateViewUseCase,
    private readonly changeView: ChangeViewUseCase,
  ) {}

  @Post()
  @HttpCode(200)
  @DatasetAccess('read')
  @ApiOperation({
    summary: 'Save a search, to be evaluated for every batch of media added from now on',
    description: 'A multipart form with the field `name`, which must be unique in the dataset.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 255, example: 'Boats' } },
    },
  })
  @ApiOkResponse({ standardSchema: viewResponse })
  @MayFail(409)
  async create(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @Query({ schema: savedSearchParameters }) search: SavedSearch,
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ViewResponse> {
    const { name } = parseOrFail(viewForm, await receiveFields(request, response), 'body');
    return presentView(await this.createView.create(datasetId, name, search, principal), {
      canChange: true,
      waiting: 0,
    });
  }

  @Get()
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The saved views of a dataset, newest first' })
  @ApiOkResponse({ standardSchema: viewsResponse })
  async list(
    @Param({ schema: datasetPath }) { dataset_id: datasetId }: DatasetPath,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof viewsResponse>> {
    const [views, waiting, canChange] = await Promise.all([
      this.views.list(datasetId),
      this.views.countWaiting(datasetId),
      this.changeView.changeableBy(principal, datasetId),
    ]);
    return {
      views: views.map((view) => presentView(view, { canChange: canChange(view), waiting: waiting.get(view.id) ?? 0 })),
    };
  }

  @Delete(':view_id')
  @HttpCode(200)
  @DatasetAccess('read')
  @ApiOperation({ summary: 'Delete a view with its trend and its notifications' })
  @ApiOkResponse({ standardSchema: z.null() })
  async delete(
    @Param({ schema: viewPath }) path: ViewPath,
    @CurrentPrincipal() principal: Principal,
    @Res() response: Response,
  ): Promise<void> {
    await this.changeView.delete(path.dataset_id, path.view_id, principal);
    response.json(null);
  }

  @Get(':view_id/trend')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The number of new matches in each batch, oldest batch first' })
  @ApiOkResponse({ standardSchema: trendResponse })
  @MayFail(400)
  async trend(@Param({ schema: viewPath }) path: ViewPath): Promise<TrendResponse> {
    return presentTrend(await this.views.trend(path.dataset_id, path.view_id));
  }

  @Get(':view_id/results')
  @DatasetAccess('read')
  @RateLimited('search')
  @ApiOperation({ summary: 'The matches of a view in one batch, in the format of explore' })
  @ApiOkResponse({ standardSchema: exploreResult })
  @MayFail(400, 409)
  async results(
    @Param({ schema: viewPath }) path: ViewPath,
    @Query({ schema: resultsQuery }) { batch_id: batchId, page_number: page }: ResultsQuery,
    @Res() response: Response,
  ): Promise<void> {
    response.type('json').send(await this.views.results(path.dataset_id, path.view_id, batchId, page));
  }

  @Post(':view_id/alerting')
  @HttpCode(200)
  @DatasetAccess('read')
  @ApiOperation({ summary: 'Turn the notifications of a view on or off' })
  @ApiOkResponse({ standardSchema: alertingResponse })
  async setAlerting(
    @Param({ schema: viewPath }) path: ViewPath,
    @Body({ schema: alertingBody }) { request: { enabled } }: AlertingBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof alertingResponse>> {
    await this.changeView.setAlerting(path.dataset_id, path.view_id, enabled, principal);
    return { alerting_enabled: enabled };
  }
}
