import { Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { DatasetAccess } from '../../../../common/platform/http/access';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import { MayFail } from '../../../../common/platform/http/description/may-fail';
import { CurrentPrincipal, type Principal } from '../../../../common/platform/http/principal';
import { booleanText, datasetPath } from '../../../../common/platform/http/query-values';
import { SyncDatasetUseCase } from '../sync-dataset.use-case';

const syncQuery = z.object({
  prune: booleanText
    .optional()
    .describe('Whether to remove media that are missing from the source; otherwise they are only reported.'),
});
const taskIdResponse = z.object({ task_id: z.uuid() }).meta({ id: 'SyncTask', example: { task_id: EXAMPLE.task } });

@ApiTags('Datasets')
@Controller('api/v1')
export class SyncController {
  constructor(private readonly sync: SyncDatasetUseCase) {}

  @Post('dataset/:dataset_id/sync')
  @HttpCode(202)
  @DatasetAccess('write')
  @ApiOperation({ summary: 'Synchronise a dataset with the folder, bucket or manifest that it was created from' })
  @ApiAcceptedResponse({ standardSchema: taskIdResponse })
  @MayFail(400)
  async start(
    @Param({ schema: datasetPath }) path: z.infer<typeof datasetPath>,
    @Query({ schema: syncQuery }) { prune = false }: z.infer<typeof syncQuery>,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof taskIdResponse>> {
    return { task_id: await this.sync.start(path.dataset_id, prune, principal) };
  }
}
