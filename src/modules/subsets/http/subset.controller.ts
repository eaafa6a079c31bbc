import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DatasetAccess } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { MaxBodyBytes } from '../../../common/platform/http/json-body.interceptor';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { datasetPath } from '../../../common/platform/http/query-values';
import { MAX_SELECTION_BYTES } from '../../search';
import { CopyMediaUseCase } from '../copy-media.use-case';
import { RemoveMediaUseCase } from '../remove-media.use-case';
import {
  chosenMedia,
  copyBody,
  copyResponse,
  removalBody,
  removalResponse,
  type CopyBody,
  type RemovalBody,
} from './subset.schemas';

type DatasetPath = z.infer<typeof datasetPath>;

@ApiTags('Subsets')
@Controller('api/v1/dataset/:dataset_id')
export class SubsetController {
  constructor(
    private readonly copyMedia: CopyMediaUseCase,
    private readonly removeMedia: RemoveMediaUseCase,
  ) {}

  @Post('copy')
  @HttpCode(202)
  @DatasetAccess('write')
  @MaxBodyBytes(MAX_SELECTION_BYTES)
  @ApiOperation({
    summary: 'Make a new dataset of some of the media',
    description:
      'Of the chosen media, or of all others. Media keep their ids, and share their files with this dataset, which is ' +
      'READ ONLY until the task ends. Objects and frames go with the media that they are parts of.',
  })
  @ApiAcceptedResponse({ standardSchema: copyResponse })
  @MayFail(400, 404, 409)
  async copy(
    @Param({ schema: datasetPath }) path: DatasetPath,
    @Body({ schema: copyBody }) body: CopyBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof copyResponse>> {
    const { taskId, result } = await this.copyMedia.start(
      path.dataset_id,
      {
        chosen: chosenMedia(body),
        keeping: body.keep,
        displayName: body.display_name,
        description: body.description,
        withViews: body.with_views,
      },
      principal,
    );
    return { dataset_id: result, task_id: taskId };
  }

  @Post('remove_media')
  @HttpCode(202)
  @DatasetAccess('write')
  @MaxBodyBytes(MAX_SELECTION_BYTES)
  @ApiOperation({
    summary: 'Remove media from a dataset',
    description:
      'A snapshot is taken first, which brings them back. The dataset is READ ONLY until the task ends. No file is ' +
      'deleted, and a synchronisation with the source leaves removed files out as long as they do not change.',
  })
  @ApiAcceptedResponse({ standardSchema: removalResponse })
  @MayFail(400, 404, 409)
  async remove(
    @Param({ schema: datasetPath }) path: DatasetPath,
    @Body({ schema: removalBody }) body: RemovalBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof removalResponse>> {
    const { taskId, result } = await this.removeMedia.start(path.dataset_id, chosenMedia(body), principal);
    return { task_id: taskId, snapshot_id: result };
  }
}
