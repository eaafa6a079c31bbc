import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess, WorkspaceRole } from '../../../common/platform/http/access';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { DatasetReader } from '../dataset.reader';
import { DeleteDatasetUseCase, DescribeDatasetUseCase } from '../delete-dataset.use-case';
import { compareBy, isHidden } from '../domain/dataset';
import {
  DatasetPresenter,
  creationStatusResponse,
  datasetListItemResponse,
  datasetListQuery,
  datasetResponse,
  datasetWordsBody,
  type DatasetListQuery,
  type DatasetWordsBody,
} from './dataset.presenter';

type DatasetPath = z.infer<typeof datasetPath>;

@ApiTags('Datasets')
@Controller('api/v1')
export class DatasetController {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly presenter: DatasetPresenter,
    private readonly describeDataset: DescribeDatasetUseCase,
    private readonly deleteDataset: DeleteDatasetUseCase,
  ) {}

  @Get('dataset/:dataset_id')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'One dataset' })
  @ApiOkResponse({ standardSchema: datasetResponse })
  async get(@Param({ schema: datasetPath }) path: DatasetPath): Promise<z.infer<typeof datasetResponse>> {
    return this.presenter.one(await this.datasets.get(path.dataset_id));
  }

  @Patch('dataset/:dataset_id')
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Change the name or description of a dataset' })
  @ApiOkResponse({ standardSchema: datasetResponse })
  async describe(
    @Param({ schema: datasetPath }) path: DatasetPath,
    @Body({ schema: datasetWordsBody }) { display_name: displayName, description }: DatasetWordsBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof datasetResponse>> {
    return this.presenter.one(
      await this.describeDataset.describe(path.dataset_id, { displayName, description }, principal),
    );
  }

  @Delete('dataset/:dataset_id')
  @HttpCode(204)
  @DatasetAccess('own')
  @ApiOperation({ summary: 'Delete a dataset permanently' })
  delete(@Param({ schema: datasetPath }) path: DatasetPath, @CurrentPrincipal() principal: Principal): Promise<void> {
    return this.deleteDataset.delete(path.dataset_id, principal);
  }

  @Get('datasets')
  @WorkspaceRole('viewer')
  @ApiOperation({ summary: 'The datasets that the caller can access' })
  @ApiOkResponse({ standardSchema: datasetListItemResponse.array() })
  async list(
    @Query({ schema: datasetListQuery }) query: DatasetListQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof datasetListItemResponse>[]> {
    const now = new Date();
    const accessible = await this.datasets.listAccessible(principal);
    const shown = accessible.filter(({ dataset }) => query.include_hidden || !isHidden(dataset, now));
    const compare = compareBy(query.sort_by);
    shown.sort((a, b) => compare(a.dataset, b.dataset));
    return Promise.all(shown.map((item) => this.presenter.item(item)));
  }

  @Get('datasets/:dataset_id/creation-status')
  @DatasetAccess('read')
  @ApiOperation({ summary: 'The progress of the creation of a dataset' })
  @ApiOkResponse({ standardSchema: creationStatusResponse })
  async creationStatus(
    @Param({ schema: datasetPath }) path: DatasetPath,
  ): Promise<z.infer<typeof creationStatusResponse>> {
    const dataset = await this.datasets.get(path.dataset_id);
    return { status: dataset.status, progress: dataset.progress };
  }
}
