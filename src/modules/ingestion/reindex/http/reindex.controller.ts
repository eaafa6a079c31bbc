import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../../common/platform/http/principal';
import { datasetPath } from '../../../../common/platform/http/query-values';
import { ReindexUseCase } from '../reindex.use-case';

@ApiTags('Datasets')
@Controller('api/v1')
export class ReindexController {
  constructor(private readonly reindex: ReindexUseCase) {}

  @Post('dataset/:dataset_id/reindex')
  @HttpCode(202)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Reindex a dataset with added media: compare and cluster all media again' })
  @MayFail(400)
  start(
    @Param({ schema: datasetPath }) path: z.infer<typeof datasetPath>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<void> {
    return this.reindex.start(path.dataset_id, principal);
  }
}
